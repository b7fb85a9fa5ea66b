// Line-ups and match cards on a phone: what was chosen stays on this device until the site shows it.

const form = document.querySelector("form[data-keep]");
const note = form?.querySelector("[data-note]");
const fields = form ? [...form.querySelectorAll("select[data-stands]")] : [];
const stands = ({ dataset }) => dataset.stands;

function tell(words) {
  note.textContent = words;
  note.hidden = !words;
}

function keep() {
  const changed = fields.filter((field) => field.value !== stands(field));
  const kept = changed.map((field) => [field.name, { was: stands(field), now: field.value }]);
  if (kept.length) localStorage.setItem(form.dataset.keep, JSON.stringify(Object.fromEntries(kept)));
  else localStorage.removeItem(form.dataset.keep);
}

// Only what nobody changed meanwhile, and what the site does not have yet.
function restore() {
  const kept = JSON.parse(localStorage.getItem(form.dataset.keep) || "{}");
  const missing = fields.filter((field) => kept[field.name]?.was === stands(field));
  for (const field of missing) field.value = kept[field.name].now;
  if (missing.length) tell(form.dataset.kept);
  else localStorage.removeItem(form.dataset.keep);
}

if (form) {
  form.addEventListener("change", keep);
  form.addEventListener("submit", (event) => {
    if (navigator.onLine !== false) return;
    event.preventDefault();
    tell(form.dataset.unsent);
  });
  restore();
}
