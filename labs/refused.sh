# Of tests of laboratories, to be sourced in a folder of their own: refused WORDS PROGRAM ARGUMENT... expects exit code 2,
# one line that has these words, and nothing printed.
export LC_ALL=C
refused() {
    words=$1
    shift
    got=0
    "$@" 2>error >output || got=$?
    [ $got -eq 2 ] || { echo "$* ends with $got, not 2"; exit 1; }
    [ "$(wc -l <error)" -eq 1 ] || { echo "$* says more than a line"; cat error; exit 1; }
    grep -qF "$words" error || { echo "$* says"; cat error; exit 1; }
    [ ! -s output ] || { echo "$* prints"; cat output; exit 1; }
}
