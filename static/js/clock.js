// The clock of a round counts down by the server's time, never by the clock of the phone, which may be wrong.
//
// The page may be an hour old (kept by a browser, or opened again from sleep), so its own hour says nothing: the server is
// asked what time it is, by the answer's `Date` of this very file. Until it answers, and where it does not, the words of
// the page stay. After a sleep, or every ten minutes, it is asked again. Aloud are said 10, 5 and 1 minutes and the end.

const ASKED_EVERY = 600_000; // milliseconds
const MARKS = [0, 1, 5, 10]; // minutes left
const still = matchMedia("(prefers-reduced-motion: reduce)");
const marks = new Map(); // by the end of a clock: the last mark that was passed
let ahead = null; // how many milliseconds the server's clock is ahead of this one
let asked = 0;

async function ask() {
  asked = Date.now();
  try {
    const sent = Date.now();
    const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" });
    const date = Date.parse(answer.headers.get("Date"));
    if (date) ahead = date + 500 - (sent + Date.now()) / 2; // the header has whole seconds
  } catch {
    // Not reached: what is known of the server's time still holds.
  }
  show();
}

const two = (number) => `${number}`.padStart(2, "0");

/** 1:05:09, 5:09; where nothing is to move, whole minutes begun: 0:05. */
function written(seconds) {
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours ? `${hours}:${two(rest)}:${two(seconds % 60)}` : `${rest}:${two(seconds % 60)}`;
}

const calm = (seconds) => (seconds > 60 ? `≈ ${Math.ceil(seconds / 60)} min` : seconds ? "< 1 min" : "0 min");

function show() {
  if (ahead === null) return;
  const now = (Date.now() + ahead) / 1000;
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const { clock: state, start, end } = clock.dataset;
    const left = Math.max(0, Math.ceil(end - now));
    const runs = state === "running" || (state === "waiting" && now >= start) || (state === "over" && left);
    const timer = clock.querySelector("[role=timer]");
    timer.hidden = !runs;
    clock.querySelector(".clock-made")?.toggleAttribute("hidden", Boolean(runs));
    if (!runs) continue;
    const words = still.matches ? calm(left) : written(left);
    if (timer.textContent !== words) timer.textContent = words;
    say(clock, end, left);
  }
}

/** Say the mark that was just passed; what was passed before the page was opened is no news. */
function say(clock, end, left) {
  const mark = MARKS.find((minutes) => left <= minutes * 60) ?? Infinity;
  if (mark < marks.get(end)) {
    clock.querySelector("[role=status]").textContent = clock.dataset[`say${mark}`];
  }
  marks.set(end, mark);
}

setInterval(() => {
  if (document.hidden || !document.querySelector("[data-clock]")) return;
  if (Date.now() - asked > ASKED_EVERY) ask();
  show();
}, 1000);
document.addEventListener("visibilitychange", () => document.hidden || ask());
document.addEventListener("club:renewed", () => (ahead === null && document.querySelector("[data-clock]") ? ask() : show()));
addEventListener("pageshow", (event) => event.persisted && ask());
if (document.querySelector("[data-clock]")) ask();
