// A personal link: its secret stands behind the "#". It is put into the form, hidden, and out of the address at once.

function take() {
  const field = document.querySelector("#personal-link input[name=secret]");
  const secret = location.hash.slice(1);
  if (field && /^[a-z2-9]{24}$/.test(secret)) {
    field.value = secret;
    field.closest("[data-typed]").hidden = true;
  }
  if (location.hash) history.replaceState(null, "", location.pathname);
}

take();
addEventListener("hashchange", take); // another link, opened where one stood already
