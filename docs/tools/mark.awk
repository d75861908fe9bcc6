# Puts every top-level definition of a C file between markers, so that \snippet finds it by its name:
# functions, structs, enums and tables, with the // comments right above them.
function name_of(text)
{
    if (text ~ /^typedef/ || text ~ /^enum/) { # the name comes last
        sub(/;[^;]*$/, "", text)
        sub(/.*[ }]/, "", text)
        return text
    }
    sub(/__launch_bounds__\([^)]*\)/, "", text)
    sub(/ *[={][^(]*$/, "", text) # struct Solver {   const Stage STAGE = {
    sub(/\(.*/, "", text)
    sub(/\[.*/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

function close_block(    name)
{
    name = head ~ /^(typedef|enum)/ ? name_of(head $0) : name_of(head)
    printf "//! [%s]\n%s%s//! [%s]\n", name, comment, block, name
    comment = block = head = ""
}

head != "" {
    block = block $0 "\n"
    if (!brace && /;$/) { # a declaration after all
        printf "%s%s", comment, block
        comment = block = head = ""
    } else if (/{$/) {
        brace = 1
    }
    if (brace && /^}/)
        close_block()
    next
}
/^\/\// { comment = comment $0 "\n"; next }
/^[A-Za-z_]/ && !/^extern "C"/ && !/;( *(\/\/|\/\*).*)?$/ {
    head = $0
    block = $0 "\n"
    brace = /{$/
    next
}
{ printf "%s%s\n", comment, $0; comment = "" }
