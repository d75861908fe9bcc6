#!/bin/sh
# Usage: finish.sh MATHJAX FIGURES HTML. Adds to what Doxygen wrote the figures and the parts of MathJax 2 that the
# formulas use, 3 MB of its 50; and takes the folder of the chapters out of the list of the API's files.
set -eu
mathjax=$1
html=$3
cp "$2"/* "$html"
cd "$mathjax"
for part in MathJax.js config/local extensions jax/element jax/input/TeX jax/output/SVG/*.js \
    jax/output/SVG/autoload jax/output/SVG/fonts/TeX localization/en; do
    [ -e "$part" ] || continue
    mkdir -p "$html/mathjax/$(dirname "$part")"
    cp -RL "$part" "$html/mathjax/$part"
done
for file in files.html files.js; do
    sed -e '/[>"]pages[<"]/d' "$html/$file" >"$html/$file.new"
    mv "$html/$file.new" "$html/$file"
done
