// The search box of every page: shows what is found while somebody types. Without this file it is a plain form.

const form = document.getElementById("find");
const box = document.getElementById("found");
const input = form?.querySelector("input");
let timer = 0;
let asking = null;

const links = () => [...box.querySelectorAll("a[href]")];
const close = () => (box.hidden = true);

async function ask() {
  asking?.abort();
  const asked = input.value.trim();
  if (!asked) return close();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const answer = await fetch(`${form.dataset.address}?q=${encodeURIComponent(asked)}`, { signal });
    if (!answer.ok) return close(); // the form still works
    const text = await answer.text();
    if (signal.aborted) return;
    box.innerHTML = text;
    box.hidden = !box.textContent.trim();
  } catch {
    if (!signal.aborted) close();
  }
}

/** Up and down go through what was found, and back into the box. */
function step(event) {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    if (!box.hidden) input.focus();
    close();
  }
  if (!way || box.hidden) return;
  event.preventDefault();
  const stops = [input, ...links()];
  const next = stops.indexOf(document.activeElement) + way;
  stops[Math.max(0, Math.min(next, stops.length - 1))].focus();
}

if (form) {
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 200);
  });
  form.addEventListener("keydown", step);
  form.addEventListener("focusout", ({ relatedTarget }) => form.contains(relatedTarget) || setTimeout(close, 150));
  input.addEventListener("focus", () => input.value.trim() && box.textContent.trim() && (box.hidden = false));
}
