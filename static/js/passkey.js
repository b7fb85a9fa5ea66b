// Passkeys: asks the browser to make one ("create") or to prove one ("get"), and sends its answer with the form.
// Without this file, or in a browser without passkeys, the form stays out of sight and the code does.

const form = document.querySelector("form[data-passkey]");
const known = globalThis.PublicKeyCredential;

const ask = {
  create: (options) => navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(options) }),
  get: (options) => navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(options) }),
};

async function answer(event) {
  event.preventDefault();
  const note = form.querySelector("[data-note]");
  note.hidden = true;
  try {
    const found = await ask[form.dataset.passkey](JSON.parse(form.dataset.options));
    form.elements.answer.value = JSON.stringify(found.toJSON());
    form.submit();
  } catch {
    note.hidden = false; // put away, too late, or no key of this account
  }
}

if (known?.parseCreationOptionsFromJSON) {
  form.hidden = false;
  for (const other of document.querySelectorAll("[data-without-passkey]")) other.hidden = true;
  form.addEventListener("submit", answer);
}
