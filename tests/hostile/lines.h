/**
 * @file lines.h
 * Command lines at random: valid, nearly valid and absurd.
 */
#ifndef LINES_H
#define LINES_H

#include "broken_lines.h"
#include "judge.h"

/** An option and values for it: the first four are good ones. */
typedef struct {
    const char *name, *value[10];
} Choice;

static const Choice run_choices[] = {
    {"--size",        {"12x10", "40x30", "9", "24", "1x1", "2147483647", "99999x99999", "12X10", "-9", "0x9"}       },
    {"--re",          {"100", "20", "1", "1e3", "1e-300", "1e300", "0", "-100", "nan", "100 "}                      },
    {"--tau",         {"0.8", "1", "0.6", "2.5", "0.5", "0.50000001", "1e300", "inf", "0x1p0", "0,8"}               },
    {"--u",           {"0.05", "0.1", "0.2", ".01", "0.577", "1e-300", "1e-30", "0.58", "-0.1", "0"}                },
    {"--block",
     {"32x8", "1x1", "16x4", "64x2", "1024x1024", "2147483647x1", "0x0", "32", "x", "1x2147483647"}                 },
    {"--circle",
     {"20,15,4", "6,6,2", "10,12,3.5", "30,20,1.5", "0,0,1", "1e300,1,1", "20,15,-4", "20,15", "20,15,1e-300",
      "nan,1,1"}                                                                                                    },
    {"--box",
     {"20,8,3,3", "5,5,2,1", "4,4,1,1", "30,20,5,5", "1,1,38,28", "0,0,1,1", "5,5,0,1", "5,5,1e300,1",
      "5;5;1;1", "5.5,5.5,.9,.9"}                                                                                   },
    {"--mask",
     {"in.png", "./in.png", "link", "folder/../in.png", "old.csv", "missing", ".", "/dev/zero", "options",
      ""}                                                                                                           },
    {"--forces",
     {"f.csv", "f", "old.csv", "./f.csv", "folder", "missing/f", "in.png", "", "link", "options"}                   },
    {"--probe",       {"2,2", "5,5", "1,2,3", "8,8", "9999,1", "-1,2", "1,2,3,4", "2147483648,1", "1.5,1", ""}      },
    {"--probes",      {"p.csv", "p", "old.csv", "folder/p", "p.csv/", "f.csv", "in.png", "", ".", "link"}           },
    {"--sample",      {"1", "2", "3", "1", "0", "-1", "9223372036854775807", "9223372036854775808", "1e1", "999"}   },
    {"--vtk",         {"a.vti", "v", "folder/a.vti", "old.csv", "in.png", "/dev/full", "missing/v", "", "..", "v/."}},
    {"--png",
     {"a.png", "p.png", "folder/a.png", "a.csv", "in.png", "./in.png", "link", "", "folder", "options"}             },
    {"--pixels",
     {"b.png", "p.png", "folder/b.png", "a.png", "in.png", "./in.png", "link", "", "folder", "missing/b"}           },
    {"--plot",
     {"a.svg", "p.svg", "folder/a.svg", "a.csv", "in.png", "options", "link", "", "folder", "/dev/full"}            },
    {"--scale",       {"0.1", "1", "1e-9", "1e9", "0", "-1", "nan", "inf", "1e-320", "0.1x"}                        },
    {"--slice",       {"z=1", "x=2", "y=3", "z=0", "z", "w=1", "x=-1", "z=99", "y=1.5", "=2"}                       },
    {"--streamlines", {NULL}                                                                                        },
    {"--csv",
     {"a.csv", "c", "folder/a.csv", "old.csv", "f.csv", "in.png", "options", "", "missing/a.csv", "folder/"}        },
    {"--field",       {"speed", "vorticity", "ux", "rho", "mood", "", "SPEED", "uz", "0", "speed,rho"}              },
    {"--every",       {"1", "2", "5", "3", "0", "-1", "9223372036854775807", "1x", "", "99999999999"}               },
    {"--steady",      {"1e-3", "1", "1e-30", "10", "0", "-1", "inf", "nan", "1e400", "x"}                           },
    {"--checkpoint",
     {"c.vti", "folder/c.vti", "state.vti", "a.vti", "in.png", "link", "missing/c", "", "options",
      "/dev/full"}                                                                                                  },
    {"--save",        {"1", "2", "3", "5", "0", "-1", "9223372036854775807", "1x", "", "1e3"}                       },
    {"--restart",
     {"state.vti", "./state.vti", "folder/../state.vti", "state.vti", "old.csv", "in.png", "missing",
      "/dev/zero", "", "folder"}                                                                                    },
    {"--watch",       {NULL}                                                                                        },
    {"--quiet",       {NULL}                                                                                        },
    {"@options",      {NULL}                                                                                        },
};
enum { RUN_CHOICES = sizeof run_choices / sizeof *run_choices };

/** A value for an option: a good one for the most part, else a bad one, else that of another option. */
static inline const char *some_value(const Choice *choice)
{
    static char long_text[5001];
    memset(long_text, '7', 5000);
    const char *const odd[] = {"''", "%s%n", "\033[2J", "\n",      "\xff\xfe",
                               "--", "-",    "@",       long_text, "--quiet"};
    switch (random_below(24)) {
    case 0:
        return odd[random_below(10)];
    case 1:
    case 2:
        return choice->value[4 + random_below(6)];
    default:
        return choice->value[random_below(4)];
    }
}

/** A run with options at random. The first and the last one keep it short for the most part. */
static inline void random_run(Call *call)
{
    add_word(call, "run");
    const Flow *flow = random_below(2) ? find_flow("bodies") // which takes the most options
                                       : &flows[random_below(flow_count)];
    const char *stage = stages[random_below(stage_count)]->name;
    const int is_plane = flow->lattice->dimensions == 2;
    add_word(call, random_below(40) == 0 ? "06_none" : is_plane ? stage : stage_for(flow->name));
    add_word(call, random_below(40) == 0 ? "lake" : flow->name);
    add_word(call, "--size");
    add_word(call, is_plane ? "40x30" : flow->body ? "20x7x7" : "9");
    for (int n = random_below(6); n > 0; n--) {
        const Choice *choice = &run_choices[random_below(RUN_CHOICES)];
        add_word(call, choice->name);
        if (choice->value[0])
            add_word(call, some_value(choice));
    }
    if (random_below(60) == 0)
        add_word(call, "extra");
    add_word(call, "--steps");
    add_word(call,
             random_below(30) ? (const char *[]){"0", "1", "2", "3", "7", "10"}[random_below(6)] : "300");
}

/** A line that would take long, with a mistake in it. */
static inline void broken_line(Call *call)
{
    const char *const lines[] = {
        "bench STAGE cavity --sizes 8,9 --repeat 2 --csv a.csv",
        "tune STAGE cavity --size 9 --scenario cavity --csv a.csv",
        "converge STAGE cylinder --sizes 8,16 --csv a.csv",
        "run STAGE bodies --size 40x30 --circle 9,9,4 --box 20,8,3,3 --tau 0.8 --steps 9 --forces f.csv",
        "run STAGE duct --size 4x5x6 --slice y=2 --pixels a.png --probe 1,2,3 --probes p.csv --steps 9",
    };
    static char line[2048];
    Words words;
    split(&words, lines[random_below(5)]);
    damage(&words);
    join(&words, line, sizeof line);
    parse_call(call, line);
}

static inline void lines_case(Case *c)
{
    const char *const others[] = {"list",       "list --all",
                                  "validate x", "--help",
                                  "run --help", "",
                                  "validate -", "list STAGE",
                                  "--version",  "bench x",
                                  "tune",       "''",
                                  "list @link", "validate @folder",
                                  "units",      "units @options",
                                  "converge",   "converge STAGE bodies"};
    Call call;
    parse_call(&call, "");
    const int kind = random_below(20);
    if (kind == 0)
        parse_call(&call, others[random_below(sizeof others / sizeof *others)]);
    else if (kind <= 3)
        broken_line(&call);
    else
        random_run(&call);
    run_and_judge(c, &call);
}

#endif
