#!/bin/sh
# check_quotes.sh ROOT: passes when the code that README.md and docs/ quote is still what the quoted files say.
#
# A fenced block is a quotation when the line before it reads <!-- from: FILE#MARKER -->: it must equal the lines
# between "// [MARKER]" and "// [/MARKER]" in FILE, or all of FILE without #MARKER, dedented and without any marker
# lines. FILE is relative to ROOT, or else to ROOT/docs. FILE#includes is what a program includes and uses: the lines
# with # and using at its beginning. FILE#4-7 are the lines 4 to 7, for what a program prints. A block of ```text, which
# is what a program prints, must be a quotation, unless the line before reads <!-- differs -->: it is other at each run.
cd "$1" || exit 1
{ [ ! -e README.md ] || echo README.md; find docs -name '*.md' | sort; } | {
  files=
  while read -r file; do files="$files $file"; done
  # shellcheck disable=SC2086
  exec awk '
    # The quoted text, or "" with an error when there is none.
    function quoted(name, marker,    path, line, inside, found, count, least, i, text, lines, ended, range, number) {
      path = (getline line < name) >= 0 ? name : "docs/" name
      close(name)
      inside = marker == ""
      found = inside || marker == "includes"
      ended = 0
      count = 0
      number = 0
      if (marker ~ /^[0-9]+-[0-9]+$/) split(marker, range, "-")
      while ((getline line < path) > 0) {
        number++
        if (1 in range) {
          if (number >= range[1] + 0 && number <= range[2] + 0) lines[++count] = line
          found = number >= range[2] + 0
        } else if (line ~ /^[ \t]*\/\/ \[\/?[A-Za-z0-9_-]+\][ \t]*$/) {
          sub(/^[ \t]*\/\/ /, "", line)
          sub(/[ \t]*$/, "", line)
          if (line == "[" marker "]") { inside = 1; found = 1 }
          if (line == "[/" marker "]") inside = 0
        } else if (inside) {
          lines[++count] = line
        } else if (marker == "includes" && !ended && line !~ /^\/\//) {
          if (line ~ /^(#.*|using .*;|namespace [a-z]+ = .*;|)$/) lines[++count] = line
          else ended = 1
        }
      }
      close(path)
      if (!found || count == 0) {
        problem("quotes " name (marker == "" ? "" : "#" marker) ", which does not exist")
        return ""
      }
      least = -1
      for (i = 1; i <= count; i++) {
        if (lines[i] ~ /^[ \t]*$/) continue
        match(lines[i], /^ */)
        if (least < 0 || RLENGTH < least) least = RLENGTH
      }
      text = ""
      for (i = 1; i <= count; i++) text = text substr(lines[i], least + 1) "\n"
      return text
    }
    function problem(text) { print FILENAME ":" start ": " text; failed = 1 }
    function trimmed(text) { sub(/^\n+/, "", text); sub(/\n+$/, "", text); return text }

    FNR == 1 { in_block = 0; pending = ""; differs = 0 }
    in_block && /^[ \t]*```[ \t]*$/ {
      in_block = 0
      if (source != "") {
        checked++
        expected = quoted(source, marker)
        if (expected != "" && trimmed(expected) != trimmed(block))
          problem("differs from " source (marker == "" ? "" : "#" marker) ", which says\n" expected)
      }
      next
    }
    in_block { block = block $0 "\n"; next }
    /^[ \t]*```/ {
      in_block = 1; block = ""; start = FNR; source = pending; marker = ""; pending = ""
      if ($0 ~ /```text/ && source == "" && !differs)
        problem("a text without a marker, expected one of the file that it is from, or <!-- differs -->")
      differs = 0
      if (at = index(source, "#")) { marker = substr(source, at + 1); source = substr(source, 1, at - 1) }
      next
    }
    { differs = /^[ \t]*<!-- differs -->[ \t]*$/ }
    /^[ \t]*<!-- from: [^ ]+ -->[ \t]*$/ {
      pending = $0
      sub(/^.*from: /, "", pending)
      sub(/ -->.*$/, "", pending)
      next
    }
    { if (pending != "") { start = FNR; problem("no fenced block follows the marker of " pending) } pending = "" }
    END { print checked + 0 " quotations checked"; exit failed }
  ' $files
}
