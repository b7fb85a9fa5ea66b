"""Somebody with a browser that knows no script: opens pages, follows links by their words, fills forms by their labels'
names, and sees what comes back. What it cannot find on the page fails the test."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

from django.test import Client

BLOCKS = {"td", "th", "p", "li", "h1", "h2", "h3", "dt", "dd", "div", "caption", "option", "label"}


@dataclass
class Form:
    """A form as a browser would send it: action, method and the values that stand in it."""

    action: str
    method: str
    values: dict[str, list[str]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, words
    files: set[str] = field(default_factory=set)  # names of its fields for files
    choices: dict[str, list[str]] = field(default_factory=dict)  # of its menus, ticks and radio buttons


class Page(HTMLParser):
    """The links, forms and words of one page. The search in the masthead, which all pages have, is left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.forms: list[Form] = []
        self.words = ""
        self._form: Form | None = None  # the one that is open
        self._owner = Form("", "")  # of the button or the area that is open
        self._link: list[str] | None = None
        self._button: list[str] | None = None
        self._select = ""
        self._area = ""
        self.by_id: dict[str, Form] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in BLOCKS:
            self.words += " "
        if tag == "a" and "href" in given:
            self._link = [given["href"], ""]
        elif tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower())
            if "find" not in given.get("class", "").split():
                self.forms.append(self._form)
            self.by_id[given.get("id", "")] = self._form
        elif tag in ("input", "select", "textarea", "button", "option"):
            form = self.by_id.get(given["form"]) if "form" in given else self._form
            if form:
                self._take(tag, given, form)

    def _take(self, tag: str, given: dict[str, str], form: Form) -> None:
        self._owner = form
        name = given.get("name", "")
        form.names.add(name)
        if tag == "button" or given.get("type") == "submit":
            self._button = [name, given.get("value", ""), given.get("value", "")]
            if tag == "input":
                self._end_button()
        elif tag == "select":
            self._select = name
        elif tag == "textarea":
            self._area = name
            form.values[name] = [""]
        elif tag == "option":
            form.choices.setdefault(self._select, []).append(given.get("value", ""))
            if "selected" in given or self._select not in form.values:
                form.values[self._select] = [given.get("value", "")]
        elif given.get("type") == "file":
            form.files.add(name)
        elif given.get("type") in ("radio", "checkbox"):
            form.choices.setdefault(name, []).append(given.get("value", "on"))
            if "checked" in given:
                form.values.setdefault(name, []).append(given.get("value", "on"))
        else:
            form.values.setdefault(name, []).append(given.get("value", ""))

    def handle_data(self, data: str) -> None:
        self.words += data
        for holder in (self._link, self._button):
            if holder:
                holder[-1] += data
        if self._area:
            self._owner.values[self._area][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._link:
            self.links.append((self._link[0], " ".join(self._link[1].split())))
            self._link = None
        elif tag == "button" and self._button:
            self._end_button()
        elif tag == "textarea":
            self._area = ""
        elif tag == "form":
            self._form = None

    def _end_button(self) -> None:
        if self._button:
            name, value, words = self._button
            self._owner.buttons.append((name, value, " ".join(words.split())))
        self._button = None


class Visitor:
    """One person at one browser."""

    def __init__(self) -> None:
        self.client = Client()
        self.address = "/"
        self.status = 200
        self.page = Page("")

    def open(self, address: str) -> None:
        self._see(self.client.get(address, follow=True), address)

    def click(self, words: str) -> None:
        """Follow the first link with those words, or else whose words contain them."""
        found = [href for href, text in self.page.links if words == text.strip()]
        found += [href for href, text in self.page.links if words in text]
        assert found, f"no link “{words}” on {self.address}; there are {[text for _, text in self.page.links]}"
        self.open(urljoin(self.address, found[0]))

    def send(self, button: str, **values: object) -> None:
        """Fill the form with that button and press it; a field the form does not have fails the test."""
        for form in self.page.forms:
            for name, value, words in form.buttons:
                if button in words:
                    self._submit(form, {name: value} if name else {}, values)
                    return
        raise AssertionError(f"no button “{button}” on {self.address}")

    def _submit(self, form: Form, pressed: dict[str, str], values: dict[str, object]) -> None:
        missing = {name for name in values if name not in form.names}
        assert not missing, f"the form on {self.address} has no {missing}"
        data = {**form.values, **values, **pressed}
        address = urljoin(self.address, form.action) if form.action else self.address
        send = self.client.post if form.method == "post" else self.client.get
        self._see(send(address, data, follow=True), address)

    def _see(self, response: object, address: str) -> None:
        chain = getattr(response, "redirect_chain", [])
        self.address = chain[-1][0] if chain else address
        self.status = response.status_code  # type: ignore[attr-defined]
        self.page = Page(response.content.decode())  # type: ignore[attr-defined]

    def sees(self, *words: str) -> bool:
        """Whether all those words stand on the page, blanks folded."""
        text = " ".join(self.page.words.split())
        missing = [part for part in words if part not in text]
        assert not missing, f"{missing} not on {self.address}: {text[:3000]}"
        return True
