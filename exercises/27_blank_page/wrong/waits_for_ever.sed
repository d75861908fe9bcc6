# expects: it used no processor time for 2 seconds.*NOT DONE: see point 2 
# with: LBM_CHECK_SECONDS=2
s/^#include <string.h>/&\n\nextern int pause(void);/
s/^    (void)block;.*/&\n    pause();/
