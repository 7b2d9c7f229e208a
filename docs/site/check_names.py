#!/usr/bin/env python3
"""check_names.py WARNINGS: fails if a warning of Doxygen is about an undocumented public name, or about a comment.

Without a comment of their own may be members that the comment of their type describes: data, nested types, constructors
and functions without arguments; overloads of a name that has a comment in the same header; operators, and functions that
override or that the compiler defines; functions of an instance, whose concept describes them; functions by which the
libraries meet, such as `step`, and all with arguments of `detail`.
"""
import functools
import re
import sys

plain_member = re.compile(
    r"override|=default|\boperator\b|^~|detail::|^\w+\(\)|"
    r"^(step|connect|finish|transform|adjust|parts)\(")
instance = re.compile(r"tapestry::(Device[A-Z][a-z]+|\w+Communicator)$|Monad$|\b(TryT|ResourceT)$")
# What Doxygen 1.9.4 cannot parse, though it is right.
not_understood = re.compile(r"Internal inconsistency|TAPESTRY_DECLARE|toString \(var|Found ';' while parsing initializer|isNumber<|"
                            r"explicit link request|\(variable\) of namespace tapestry::kernels")


@functools.cache
def described(header):
    """Returns the names in a prepared header that a comment precedes."""
    with open(header) as file:
        text = re.sub(r"///.*\n\s*///", "///", file.read())
    starts = [match.end() for match in re.finditer(r"///.*\n|/\*\* .*? \*/ ", text)]
    return {name for start in starts
            for name in re.findall(r"\b(\w+)(?:\(|;| = | \{)", text[start:start + 400].split("///")[0].split("{")[0] + "{")}


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
        kind != "function" or word in scope or plain_member.search(name) is not None or instance.search(scope) is not None)


with open(sys.argv[1]) as warnings:
    wrong = [line.rstrip() for line in warnings if not allowed(line)]
print("\n".join([*wrong, f"{len(wrong)} names without a comment, or mistakes in comments"]))
sys.exit(len(wrong) > 0)
