# `*here = (Four){...};` is stored field by field by gcc, in one access by nvcc. gcc copies `*&(Four){...}` as a whole.
# Only in statements that assign: what initialises a static variable has to stay a constant.
y/\t/ /
:next
s/((^|[;{:]) *((if|for|while) *\(.*\) *|else +)*\**(\w+|\([^;{}]*\))((\.|->)\w+|\[[^;{}]*\]|\([^;{}]*\))* *=) *(\((struct )?\w+\) *\{)/\1 *\&\8/
t next
# The next line goes on with a list, or with the declaration of a static variable.
:skip
/(^ *static[^;{]*|,) *$/{
n
b skip
}
