#!/usr/bin/env python3
"""check_names.py WARNINGS [DOXYGEN]: fails if a warning of Doxygen is about an undocumented public name, or about a
comment. Another version DOXYGEN than 1.9.4 misreads other code; the warnings are then only printed.

Without a comment of their own may be members that the comment of their type describes: data, nested types, constructors
and functions without arguments; overloads of a name that has a comment in the same header; operators, and functions
that override or that the compiler defines; functions of an instance, whose concept describes them; functions by which
the libraries meet, such as `step`, and all with arguments of `detail`.
"""
import functools
import re
import sys

plain_member = re.compile(
    r"override|=default|\boperator\b|^~|detail::|^\w+\(\)|"
    r"^(step|connect|finish|transform|adjust|parts)\(")
instance = re.compile(r"tapestry::(Device[A-Z][a-z]+|\w+Communicator)$|Monad$|\b(TryT|ResourceT)$")
known = "1.9.4"  # the version of Doxygen, of Debian 12
# What that version cannot parse, though it is right.
not_understood = re.compile(r"Internal inconsistency|TAPESTRY_DECLARE|toString \(var|"
                            r"Found ';' while parsing initializer|"
                            r"explicit link request|\(variable\) of namespace tapestry::kernels")


@functools.cache
def described(header):
    """Returns the names in a prepared header that a comment precedes."""
    with open(header) as file:
        text = re.sub(r"///.*\n\s*///", "///", file.read())
    starts = [match.end() for match in re.finditer(r"///.*\n|/\*\* .*? \*/ ", text)]
    heads = [text[start:start + 400].split("///")[0].split("{")[0] + "{" for start in starts]
    return {name for head in heads for name in re.findall(r"\b(\w+)(?:\(|;| = | \{)", head)}


def type_name(scope):
    """Returns the name of a type, which its constructors have, without namespaces and template arguments."""
    while "<" in scope and (shorter := re.sub(r" *<[^<>]*>", "", scope)) != scope:
        scope = shorter
    return scope.rsplit("::", 1)[-1]


def allowed(line):
    if not_understood.search(line):
        return True
    header = re.match(r"(.*?):\d+: ", line)
    undocumented = re.search(r"Member (.*) \((\w+)\) of (\w+) (.*) is not documented", line)
    if not undocumented or not header:
        return False
    name, kind, where, scope = undocumented.groups()
    word = re.match(r"\w*", name).group(0)
    if kind in ("function", "variable") and word in described(header.group(1)):
        return True
    return where not in ("namespace", "file") and (
        kind != "function" or word == type_name(scope) or plain_member.search(name) is not None
        or instance.search(scope) is not None)


with open(sys.argv[1]) as warnings:
    wrong = [line.rstrip() for line in warnings if not allowed(line)]
print("\n".join([*wrong, f"{len(wrong)} names without a comment, or mistakes in comments"]))
version = sys.argv[2] if len(sys.argv) > 2 else known
if wrong and not version.startswith(known):
    print(f"These are of Doxygen {version}, and not looked at further: the check knows what Doxygen {known} misreads.")
    sys.exit(0)
sys.exit(len(wrong) > 0)
