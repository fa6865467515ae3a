#!/usr/bin/env bash
# Prints the commands of the README's section "Two commands", one a line, without their comments: the first indented block below
# that heading. CI runs what is printed here, so it runs what a user reads.
set -euo pipefail
awk '
  /^## /          { inside = ($0 == "## Two commands") }
  !inside         { next }
  /^    [^ ]/     { sub(/^    /, ""); sub(/ *#.*/, ""); print; seen = 1; next }
  seen            { exit }
' "$(dirname "$0")/../README.md"
