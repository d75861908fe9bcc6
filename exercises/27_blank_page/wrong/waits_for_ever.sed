# expects: it had not ended after 10 seconds: what does it wait for.*NOT DONE: see point 2 
# with: LBM_CHECK_SECONDS=1
s/^#include <string.h>/&\n\nextern int pause(void);/
s/^    (void)block;.*/&\n    pause();/
