"""The watch over the pages watches: each kind of fault is seen, and a clean page has none. Needs no page of ours."""

import pytest
from playwright.sync_api import Page

from tests.browser import support
from tests.browser.conftest import Opened
from tests.browser.judging import complaints, complaints_both_ways, out_of_hand

pytestmark = pytest.mark.browser


def test_a_clean_page_has_no_faults(page: Page, page_faults: list[str]) -> None:
    page.set_content("<title>Clean</title>")
    assert page.title() == "Clean"
    assert page.viewport_size == {"width": 1280, "height": 900}
    assert not page_faults


def test_a_phone_is_390_pixels_wide_and_touched(phone_page: Page) -> None:
    phone_page.set_content("<meta name=viewport content=width=device-width>")
    assert phone_page.evaluate("[screen.width, navigator.maxTouchPoints > 0]") == [390, True]


def test_a_fault_is_noted(page: Page, page_faults: list[str]) -> None:
    for html, word in (
        ("<script>throw new Error('lost a pawn')</script>", "page error: lost a pawn"),
        ("<script>console.error('lost a rook')</script>", "console: lost a rook"),
        ("<img src=http://example.invalid/queen.png>", "request to another host: http://example.invalid/queen.png"),
    ):
        page.goto(f"data:text/html,{html}")
        assert any(word in fault for fault in page_faults), page_faults
        page_faults.clear()


def test_each_rule_a_page_breaks_is_told_and_a_good_page_breaks_none(page: Page) -> None:
    """Of a long table each kind of row is looked at, and all rows are there afterwards; of a second page what the first
    had not."""
    good = "<html lang=en><title>Good</title><meta name=viewport content=width=device-width><main><h1>Good</h1>"
    rows = "<table>" + "<tr><td style='color:{}'>row" * 20 + "</table>"
    fields = "<ul>" + "".join(f"<li><label for=f{at}>Name</label><input id=f{at}>" for at in range(20)) + "</ul>"
    pale, first = "%23eee", f"data:text/html,{good}{fields}{rows.replace('{}', 'black')}"
    assert complaints(page, [first]) == []
    assert page.locator("tr").count() == 20
    for html, word in (
        (f"{good}{rows.replace('{}', pale)}", "color-contrast"),
        (f"{good}{rows.replace('{}', 'black', 19).replace('{}', pale)}", "color-contrast"),
        (f"{good}<div style=width:600px>wide</div>", "px wider than 390"),
        (f"{good}<h1>Twice</h1>", "2 headings"),
        (good.replace("Good</title>", " · Club</title>"), "no title"),
        (f"{good}<input>", "label"),
        (good + fields.replace("for=f9", "for=f8"), "label"),
        (good + fields.replace("for=f9>Name", "for=f9>"), "label"),
    ):
        found = complaints(page, [first, f"data:text/html;charset=utf-8,{html}"])
        assert any(word in fault for fault in found), (word, found)


def test_a_fault_that_only_a_phone_in_the_dark_shows_is_told(open_context: Opened) -> None:
    """At once, however long a change of colours takes."""
    dark = "@media (prefers-color-scheme: dark) and (max-width: 400px) {p {color: %23222; background: %23111}}"
    html = "<html lang=en><title>Good</title><meta name=viewport content=width=device-width><style>"
    html += f"p {{color: %23000; background: %23fff; transition: all 60s}} {dark}</style><main><h1>Good</h1><p>words"
    (fault,) = complaints_both_ways(open_context, [f"data:text/html,{html}"])
    assert "on a phone: color-contrast" in fault


def test_what_is_out_of_hand_is_told(page: Page) -> None:
    tick = "<label style=display:block><input type=checkbox></label>"
    curve = "<polyline class=line points='0,34 20,34 200,36' />"
    chart = f"<svg>{curve}<text x=20 y=30>above</text></svg>"
    good = f"{chart}<a class=hidden href=.>far</a><a href=. style=display:block;height:24px>near</a>"
    page.goto(f"data:text/html,<meta name=viewport content=width=device-width>{good}")
    assert out_of_hand(page) == []
    wide = "<div class='{}' style=overflow-x:auto><table><tr><td style=min-width:{}px>wide</table></div>"
    for html, word in (
        ("<p><a href=.>low</a>", "px high"),
        (tick, "<label"),
        ("<nav class=nav style=overflow:hidden><p style=width:500px>long</nav>", "the menu hides an item"),
        (wide.format("table-scroll", 1100), "at 1024 px a table"),
        (f"<svg>{curve}<text x=20 y=40>crossed</text></svg>", "a curve runs through “crossed”"),
        (f"<svg>{curve}<text x=20 y=90>one</text><text x=24 y=92>two</text></svg>", "“one” lies on “two”"),
        (f"<svg>{curve}<text x=20 y=190>out</text></svg>", "“out” leaves its picture"),
    ):
        page.goto(f"data:text/html;charset=utf-8,<meta name=viewport content=width=device-width>{html}")
        assert any(word in fault for fault in out_of_hand(page)), word
    page.goto(f"data:text/html,{wide.format('table-scroll wide', 3000)}")
    assert out_of_hand(page) == []


def test_two_people_meet_in_one_test(open_context: Opened, page_faults: list[str]) -> None:
    arbiter, member = open_context(), open_context()
    assert arbiter.context is not member.context
    member.goto("data:text/html,<script>console.error('also watched')</script>")
    assert len(page_faults) == 1
    page_faults.clear()


def test_the_browser_named_by_hand_is_the_only_one_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_BROWSER", "/nowhere/chromium")
    assert support.find_browser() is None
