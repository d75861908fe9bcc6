# expects: cavity, 13 x 9, after step 1.*here the other walls move too.*NOT DONE: see TODO\(2\)
s/if (slot == own)/if (slot == own \&\& i < opposite(i))/
