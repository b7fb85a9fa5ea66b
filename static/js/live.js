// An event's page while a round is played: it asks again by itself and puts in place only what has changed.
//
// The server says in the page how often (`data-every`, seconds) and where to ask (`data-address`); when the round is
// over it no longer does, and nobody asks any more. Without this file the page is complete and has a link to load it
// again. Asking is cheap: with the tag of what is shown, the answer is "not modified" as long as nothing changed.

const LATEST = 300; // seconds between two tries at most, while the server cannot be reached
const region = () => document.getElementById("live");
const every = () => Number(region()?.dataset.every) || 0;

let tag = "";
let timer = 0;
let failed = 0;
let asking = false;

/** Never everybody at once: each visitor's clock differs by up to a fifth. */
const wait = () => Math.min(LATEST, every() * 2 ** failed) * (0.9 + Math.random() / 5) * 1000;

function plan() {
  clearTimeout(timer);
  if (every() && !document.hidden) timer = setTimeout(ask, wait());
}

async function ask() {
  if (asking || document.hidden || !every()) return;
  asking = true;
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(region().dataset.address, { headers, cache: "no-store" });
    if (answer.ok) {
      const text = await answer.text();
      tag = answer.headers.get("ETag") ?? "";
      show(new DOMParser().parseFromString(text, "text/html"));
    } else if (answer.status !== 304) throw new Error(`${answer.status}`);
    failed = 0;
  } catch {
    failed += 1;
  }
  asking = false;
  document.getElementById("live-lost")?.toggleAttribute("hidden", !failed);
  plan();
}

/** Put the new parts in place. Where the focus stood on a link that moved, it goes with it. */
function show(fresh) {
  const held = document.activeElement?.getAttribute("href");
  for (const id of ["news", "live"]) {
    const [now, next] = [document, fresh].map((page) => page.getElementById(id));
    if (now && next) mend(now, next);
  }
  ready();
  document.dispatchEvent(new Event("club:renewed"));
  const active = document.activeElement;
  if (!held || active?.getAttribute("href") === held) return;
  const links = [...region().querySelectorAll("a[href]")];
  links.find((link) => link.getAttribute("href") === held)?.focus({ preventScroll: true });
}

/** Make one piece of the page like another, leaving alone what is the same: what is open stays open, what is scrolled
    stays scrolled. */
function mend(now, next) {
  if (now.isEqualNode(next)) return;
  if (now.nodeName !== next.nodeName) return void now.replaceWith(next);
  if (now.nodeType !== Node.ELEMENT_NODE) return void (now.nodeValue = next.nodeValue);
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name) && name !== "open") now.removeAttribute(name);
  for (const { name, value } of next.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  const children = [...next.childNodes];
  while (now.childNodes.length > children.length) now.lastChild.remove();
  children.forEach((child, at) => (now.childNodes[at] ? mend(now.childNodes[at], child) : now.append(child)));
}

/** Say that the page looks after itself, in the words the server put there. */
function ready() {
  for (const word of document.querySelectorAll("[data-live-word]")) word.hidden = !every();
}

document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : ask().then(plan)));
ready();
plan();
