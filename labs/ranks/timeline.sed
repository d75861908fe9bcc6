# What timeline.h marks in a solver.
s/\bLAUNCH_ON(/MARKED_LAUNCH_ON(/
s/\bLAUNCH(/MARKED_LAUNCH(/
s/\bcudaMemcpyAsync(/marked_copy_on(/
s/\bcudaMemcpy(/marked_copy(/
s/\b\(MPI_Sendrecv\|MPI_Waitall\)(/MARKED_CALL(\1, /
s|#include "stage/stage.h"|&\n#include "timeline.h"|
