#!/usr/bin/env bash
# Installs the viewer's packages into web/node_modules when they are missing or the lock has changed: the only step
# of the viewer that needs the network. One at a time, since several builds share the source.
set -euo pipefail

web="$(cd "$(dirname "${BASH_SOURCE[0]}")/../web" && pwd)"
stamp="$web/node_modules/.installed_lock"
if [ -f "$stamp" ] && cmp -s "$web/package-lock.json" "$stamp"; then exit 0; fi

exec 9> "$web/.install_lock"
flock 9
if [ -f "$stamp" ] && cmp -s "$web/package-lock.json" "$stamp"; then exit 0; fi

log=$(mktemp)
# No package's own script runs: none is needed.
if ! (cd "$web" && npm ci --ignore-scripts --no-audit --no-fund) > "$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "npm ci failed in web/ (it needs the network, once); its whole output: $log" >&2
  exit 1
fi
rm -f "$log"
cp "$web/package-lock.json" "$stamp"
