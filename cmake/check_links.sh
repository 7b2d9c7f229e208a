#!/usr/bin/env bash
# check_links.sh SOURCE_DIR: each relative link of the Markdown files leads to a file or folder that exists.
set -euo pipefail
cd "$1"
broken=0
while IFS=: read -r file line link; do
  target=${link#](}
  target=${target%)}
  target=${target%%#*}
  [[ -n $target ]] || continue
  if [[ ! -e $(dirname "$file")/$target ]]; then
    echo "$file:$line: a link leads nowhere, got '$target', expected a file or folder beside it"
    broken=1
  fi
done < <(grep -noE '\]\([^): ]*[./][^): ]*\)' README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CODE_OF_CONDUCT.md \
  benchmarks/README.md docs/*.md docs/*/*.md)
exit $broken
