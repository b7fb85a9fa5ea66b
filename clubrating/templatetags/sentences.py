"""Chinese has no space between sentences, and signs of its own. Nobody who writes a template need think of it.

The tags that end in words are Django's own, but they take along the sign and the white space that the template has
behind them, and write them as Chinese does: a full-width sign, and no space after one, which has its space within. Only
what a template says is changed, not what a person wrote. Words that come from the code: {% firstof words %}.

A sign between two values, {{ day }}, {{ event }}, is a text of the template too: `clubrating.web.templates` puts
{% sign %} in its place.
"""

import re
from collections.abc import Callable

from django import template
from django.template.base import Node, Parser, Token, TokenType
from django.template.context import Context
from django.template.defaulttags import do_if, firstof
from django.template.loader_tags import do_include
from django.templatetags.i18n import do_block_translate, do_translate
from django.utils.translation import get_language

from clubrating.ground.marks import FULL_WIDTH
from players.refusals import sign

register = template.Library()

_CHARACTER = re.compile("[\u4e00-\u9fff）」]$")
_WIDE = {",": "，", ".": "。", ":": "：", ";": "；"}
# The ends of elements, a sign, white space: {% translate "Mind" %}</b>: …
_BEHIND = re.compile(r"(?P<ends>(?:</\w+>)*)(?P<sign>[,.:;](?=\s|<|$))?(?P<space>\s*)")


class Sign(Node):
    """{% sign ", " %}: the mark as the page's language writes it."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def render(self, context: Context) -> str:
        return sign(self.mark)


@register.tag("sign")
def compile_sign(parser: Parser, token: Token) -> Sign:
    return Sign(token.contents.partition(" ")[2].strip('"'))


class Spaced(Node):
    """A node, the elements that end with it, a sign and white space."""

    child_nodelists = ("node",)

    def __init__(self, node: Node, ends: str, sign: str, space: str) -> None:
        self.node, self.ends, self.sign, self.space = node, ends, sign, space

    def render_annotated(self, context: Context) -> str:  # at once, without a call of its own to render
        text = str(self.node.render_annotated(context))
        if not (get_language() or "").startswith("zh"):
            return text + self.ends + self.sign + self.space
        words, sign = text.rstrip(), self.sign
        if sign and _CHARACTER.search(words):
            sign = _WIDE[sign]
        if (words + sign).endswith(FULL_WIDTH):
            return words + self.ends + sign
        return text + self.ends + sign + self.space


def spaced(compile_tag: Callable[[Parser, Token], Node]) -> Callable[[Parser, Token], Node]:
    """The tag, with the sign and the white space that follow it."""

    def compiled(parser: Parser, token: Token) -> Node:
        node = compile_tag(parser, token)
        behind = parser.tokens[-1] if parser.tokens else None  # the parser takes its tokens from the end
        if not isinstance(behind, Token) or behind.token_type != TokenType.TEXT:
            return node
        found = _BEHIND.match(behind.contents)
        if found is None or not (found["sign"] or found["space"]):
            return node
        behind.contents = behind.contents[found.end() :]
        node.token = token  # as the parser does with its own nodes
        node.origin = parser.origin  # type: ignore[assignment]  # None only where a parser is used by itself
        return Spaced(node, found["ends"], found["sign"] or "", found["space"])

    return compiled


for name, compile_tag in {
    "translate": do_translate,
    "blocktranslate": do_block_translate,
    "if": do_if,
    "include": do_include,
    "firstof": firstof,
}.items():
    register.tag(name, spaced(compile_tag))
