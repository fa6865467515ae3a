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

"$(dirname "${BASH_SOURCE[0]}")/check_machine.sh" node npm
echo "Installing the viewer's packages (npm ci)"
log=$(mktemp)
# No package's own script runs: none is needed.
if ! (cd "$web" && npm ci --ignore-scripts --no-audit --no-fund) > "$log" 2>&1; then
  if reason=$(grep -m 1 -oE "ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT" "$log"); then
    echo "No network: npm cannot fetch the viewer's packages, which it needs once ($reason): connect this machine, or give npm its proxy, and run the same command again (whole output: $log)." >&2
  else
    echo "npm failed to fetch the viewer's packages into web/node_modules ($(grep -m 1 -i 'err' "$log" || tail -n 1 "$log")): mend that, then run the same command again (whole output: $log)." >&2
  fi
  exit 1
fi
rm -f "$log"
cp "$web/package-lock.json" "$stamp"
