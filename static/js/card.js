// A match card on a phone: what was chosen stays on this device until the site has it.

const form = document.querySelector("form[data-keep]");
const note = form.querySelector("[data-note]");
const fields = [...form.querySelectorAll("select, input[type=text], input:not([type])")];

function tell(words) {
  note.textContent = words;
  note.hidden = !words;
}

function restore() {
  const kept = JSON.parse(localStorage.getItem(form.dataset.keep) || "{}");
  const changed = fields.filter((field) => field.name in kept && field.value !== kept[field.name]);
  for (const field of changed) field.value = kept[field.name];
  if (changed.length) tell(form.dataset.kept);
}

function keep() {
  localStorage.setItem(form.dataset.keep, JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))));
}

form.addEventListener("change", keep);
form.addEventListener("submit", (event) => {
  if (navigator.onLine === false) {
    event.preventDefault();
    keep();
    tell(form.dataset.unsent);
    return;
  }
  localStorage.removeItem(form.dataset.keep);
});
window.addEventListener("online", () => note.hidden || tell(form.dataset.kept));
restore();
