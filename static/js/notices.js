// Notices on this device: the browser's own push service carries them, encrypted for this browser.

const form = document.getElementById("notices");
const off = document.getElementById("off");
const say = (words) => (form.querySelector("[role=status]").textContent = words);

async function subscription() {
  return (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
}

async function send(values) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const answer = await fetch(form.action, { method: "POST", body });
  say((await answer.json()).said);
  return answer.ok;
}

async function switchOn(event) {
  event.preventDefault();
  if ((await Notification.requestPermission()) !== "granted") return say(form.dataset.refused);
  try {
    await navigator.serviceWorker.register(form.dataset.worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
    const { endpoint, keys } = made.toJSON();
    if (await send({ endpoint, ...keys })) off.hidden = false;
    else await made.unsubscribe();
  } catch {
    say(form.dataset.failed);
  }
}

async function switchOff() {
  const made = await subscription();
  if (made && (await send({ off: 1, endpoint: made.endpoint }))) await made.unsubscribe();
  off.hidden = true;
}

if (navigator.serviceWorker && globalThis.PushManager && globalThis.Notification) {
  form.hidden = false;
  document.getElementById("no-push").hidden = true;
  form.addEventListener("submit", switchOn);
  off?.addEventListener("click", switchOff);
  if (off && (await subscription())) off.hidden = false;
}
