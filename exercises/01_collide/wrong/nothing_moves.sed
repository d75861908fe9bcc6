# expects: leaves all nine populations as they were.*NOT DONE: see TODO\(2\), then TODO\(3\)
s/+= omega \* (target - f\[i\])/+= 0.0f * target/
