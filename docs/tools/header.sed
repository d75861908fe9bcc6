# Full stops that end no sentence: Doxygen takes the first sentence of a comment for its summary.
s/e_i \. /e_i \&sdot; /g
s/et al\. /et al.\&nbsp;/g
