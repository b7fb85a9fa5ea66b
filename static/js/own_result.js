// A player's own result on a phone: one tap sends it. Without a line the tap is kept on this device and sent when there
// is one again; the site takes the same report once, however often it comes. Without this file the form sends itself.

const AGAIN = 15_000;

function tell(form, words) {
  const note = form.querySelector("[data-note]");
  note.textContent = words;
  note.hidden = !words;
}

const kept = (form) => localStorage.getItem(form.dataset.keep);

/** Send what was tapped; where no answer comes it stays kept. */
async function send(form, code) {
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  localStorage.setItem(form.dataset.keep, code);
  const body = new FormData(form);
  body.set("claimed", code);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.status >= 500 || answer.status === 429) throw new Error("busy");
    if (answer.type !== "opaqueredirect") show(await answer.text());
    localStorage.removeItem(form.dataset.keep);
    if (answer.type === "opaqueredirect") location.assign(form.action);
  } catch {
    delete form.dataset.sending;
    tell(form, form.dataset.unsent);
  }
}

/** A refusal: the page as the site has it now, with its sentence. Throws where something else answered, as a proxy. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("main");
  if (!fresh) throw new Error("no page of the club");
  document.getElementById("main").replaceWith(fresh);
  watch();
}

function sendKept() {
  for (const form of document.querySelectorAll("form.own-result")) if (kept(form)) send(form, kept(form));
}

function watch() {
  for (const form of document.querySelectorAll("form.own-result"))
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form, event.submitter.value);
    });
}

watch();
sendKept();
addEventListener("online", sendKept);
setInterval(sendKept, AGAIN);
