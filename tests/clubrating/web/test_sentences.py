"""Chinese sentences stand side by side without a space, whoever joins them, and what people wrote is left as it is."""

import pytest
from django.template import engines
from django.utils.translation import override

from clubrating.ground.marks import joined
from clubrating.web.templates import signed

THEIRS = "他说。 好。"


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ('{% translate "你好。" %} {% translate "再见。" %}', "你好。再见。"),
        ('{% blocktranslate %}你好。{% endblocktranslate %}\n  <a href="/">再见</a>', '你好。<a href="/">再见</a>'),
        ('<b>{% translate "注意：" %}</b> 再见', "<b>注意：</b>再见"),
        ('<a href="/">{% translate "等级分" %}</a>. {% translate "再见" %}', '<a href="/">等级分</a>。再见'),
        ('{% if theirs %}{{ theirs }}{% endif %}\n{% translate "再见" %}', f"{THEIRS}再见"),
        ("{% firstof theirs %} 再见", f"{THEIRS}再见"),
        ('{% translate "等级分" %} {{ theirs }}', f"等级分 {THEIRS}"),
        ("<pre>{{ theirs }} 再见</pre>", f"<pre>{THEIRS} 再见</pre>"),
        ('<input value="{{ theirs }}">', f'<input value="{THEIRS}">'),
        ('{% translate "Elo" %}, {% translate "再见" %}', "Elo, 再见"),
        ('{% if theirs %}{% translate "等级分" %}{% endif %}.csv', "等级分.csv"),
    ],
)
def test_only_the_templates_own_space_goes(source: str, shown: str) -> None:
    with override("zh-hans"):
        assert engines["django"].from_string(source).render({"theirs": THEIRS}) == shown


def test_other_languages_keep_their_space_and_signs_behind_chinese_words() -> None:
    with override("ru"):
        template = engines["django"].from_string("{% firstof theirs %}, {% if theirs %}{{ theirs }}{% endif %} ok")
        assert template.render({"theirs": THEIRS}) == f"{THEIRS}, {THEIRS} ok"


def test_blocks_within_such_tags_are_found() -> None:
    source = '{% extends "base.html" %}{% block title %}Mine{% endblock %}'
    assert "<title>Mine · " in engines["django"].from_string(source).render({})


@pytest.mark.parametrize(
    ("parts", "row"),
    [(["One.", "Two."], "One. Two."), (["甲。", "乙。"], "甲。乙。"), (["甲", "", "K"], "甲 K"), ([], "")],
)
def test_sentences_joined_in_the_code(parts: list[str], row: str) -> None:
    assert joined(*parts) == row


@pytest.mark.parametrize(
    ("source", "chinese", "english"),
    [
        ("{{ a }}, {{ b }}", "1，2", "1, 2"),
        ("<b>{{ a }}</b>: {{ b }}", "<b>1</b>：2", "<b>1</b>: 2"),
        ("{% for each in row %}{{ each }}{% if not forloop.last %}, {% endif %}{% endfor %}", "1、2", "1, 2"),
        ("{% blocktranslate with a=a %}{{ a }}, x{% endblocktranslate %}, {{ b }}", "1, x，2", "1, x, 2"),
        ("{% if a %} ({{ a }}){% endif %}", "（1）", " (1)"),
        ('<span class="hidden">, {{ a }}</span>', '<span class="hidden">，1</span>', '<span class="hidden">, 1</span>'),
        ("<p>{{ a }}. {{ b }}.</p>", "<p>1. 2。</p>", "<p>1. 2.</p>"),
        ('{{ a }} points="{{ a }},{{ b }}"', '1 points="1,2"', '1 points="1,2"'),
    ],
)
def test_signs_between_values(source: str, chinese: str, english: str) -> None:
    values = {"a": 1, "b": 2, "row": [1, 2]}
    for language, shown in (("zh-hans", chinese), ("en", english)):
        with override(language):
            assert engines["django"].from_string(signed(source)).render(values) == shown
