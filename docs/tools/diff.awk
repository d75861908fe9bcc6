# A unified diff as coloured HTML. Colour is not the only sign: the + and - stay.
function escape(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

BEGIN { print "<pre class=\"diff\">" }
/^(---|\+\+\+) / { printf "<span class=\"file\">%s</span>\n", escape($0); next }
/^@@/ { print "<span class=\"hunk\">" escape($0) "</span>"; next }
/^\+/ { print "<ins>" escape($0) "</ins>"; next }
/^-/ { print "<del>" escape($0) "</del>"; next }
{ print escape($0) }
END { print "</pre>" }
