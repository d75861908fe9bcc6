/**
 * @file own_lines.h
 * Whether a student's file is the student's own: what it includes and names, as the preprocessor sees it.
 */
#ifndef OWN_LINES_H
#define OWN_LINES_H

/**
 * The student's file, or the form that the check was called with; and the file with what the preprocessor made
 * of it, NULL if that is not looked at. Each check defines them, in exercise_file.h.
 */
extern const char *exercise_file, *const preprocessed_file;

/** Ends the check if the student's file includes the file of a stage, or a solution, or names a stage. */
void expect_own_lines(void);

#endif
