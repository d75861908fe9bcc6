#!/bin/sh
# Usage: in_place_of.sh COMPILER OTHER ARGUMENT... Runs COMPILER with the arguments that the other one was given.
export LC_ALL=C
compiler=$1
shift 2
exec "$compiler" "$@"
