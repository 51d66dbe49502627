# SPDX-License-Identifier: MIT
"""Just enough of C to find functions: comments, strings and preprocessor lines blanked out, then
braces counted. Line numbers stay what they were."""

import re

TOKEN = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)


def blank(text):
    """Blanks instead of TEXT, with the same line ends."""
    return re.sub(r"[^\n]", " ", text)


def without_comments_and_strings(text):
    def replace(match):
        token = match[0]
        return token[0] + blank(token[1:-1]) + token[-1] if token[0] in "\"'" else blank(token)

    return TOKEN.sub(replace, text)


def preprocessor_lines(text):
    """(first line's index, its logical line) for each directive; TEXT has no comments."""
    lines, i = text.split("\n"), 0
    while i < len(lines):
        start = i
        while lines[i].rstrip().endswith("\\") and i + 1 < len(lines):
            i += 1
        logical = "\n".join(lines[start : i + 1])
        if logical.lstrip().startswith("#"):
            yield start, logical
        i += 1


def plain(text):
    """TEXT without comments, strings and directives. Of #if … #else … #endif the first branch is
    kept, or braces that stand in both would count twice."""
    text = without_comments_and_strings(text)
    lines, dropped = text.split("\n"), 0  # how many #if deep we are in a branch that is dropped
    directives = dict(preprocessor_lines(text))
    i = 0
    while i < len(lines):
        logical = directives.get(i)
        count = logical.count("\n") + 1 if logical else 1
        word = re.match(r"\s*#\s*(\w*)", logical)[1] if logical else ""
        if dropped and word in ("if", "ifdef", "ifndef"):
            dropped += 1
        elif dropped and word == "endif":
            dropped -= 1
        elif not dropped and word in ("else", "elif"):
            dropped = 1
        if logical or dropped:
            lines[i : i + count] = [blank(line) for line in lines[i : i + count]]
        i += count
    return "\n".join(lines)


def macros(text):
    """(name, first line, number of lines) of each macro."""
    for start, logical in preprocessor_lines(without_comments_and_strings(text)):
        name = re.match(r"\s*#\s*define\s+(\w+)", logical)
        if name:
            yield name[1], start + 1, logical.count("\n") + 1


def function_name(head):
    """The name and its offset, where HEAD (all between the last ; or } and a {) is that of a
    function; else None."""
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)", lambda m: blank(m[0]), head, flags=re.DOTALL)
    # what may stand between the parameters and the brace: _nodiscard_, _printf_(1, 2)
    tail = re.search(r"\)\s*(?:_\w+_\s*(?:\([^()]*\)\s*)?)*$", head)
    if not tail or re.search(r"(?<![=!<>])=(?!=)", head):
        return None
    depth, i = 0, tail.start()
    while i >= 0:
        depth += (head[i] == ")") - (head[i] == "(")
        if depth == 0:
            break
        i -= 1
    name = re.search(r"(\w+)\s*$", head[: max(i, 0)])
    if not name:  # a function that returns a pointer to one: TYPE (*name(…))(…)
        name = re.search(r"\(\s*\*\s*(\w+)\s*\(", head)
    return (name[1], name.start(1)) if name else None


def functions(text):
    """(name, first line, number of lines) of each function: from the line on which its type
    begins to its closing brace. Text that does not balance is an error."""
    text = plain(text)
    depth, begin, found, current = 0, 0, [], None
    for match in re.finditer(r"[{};]", text):
        at, char = match.start(), match[0]
        if char == "{":
            if depth == 0:
                head = text[begin:at]
                name = function_name(head)
                if name:
                    line_begin = head.rfind("\n", 0, name[1]) + 1
                    current = (name[0], text.count("\n", 0, begin + line_begin) + 1)
            depth += 1
        elif char == "}":
            depth -= 1
            if depth < 0:
                raise ValueError("line %d: a } too many" % (text.count("\n", 0, at) + 1))
            if depth == 0:
                if current:
                    last = text.count("\n", 0, at) + 1
                    found.append((*current, last - current[1] + 1))
                    current = None
                begin = at + 1
        elif depth == 0:
            begin = at + 1
    if depth:
        raise ValueError("%d { are not closed" % depth)
    return found
