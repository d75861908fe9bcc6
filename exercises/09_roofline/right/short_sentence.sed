# expects: DONE
s/^why .*/why = It moves the same bytes./
