// One key a decision.  A decision is kept in this window until the server says that it is on disk;
// when the server does not answer, it is sent again, under the same id, until it does.  Without
// this file the same forms work with buttons.

const FRAGMENT = "x-fragment";
const WAITS_MS = [200, 400, 800, 1500, 3000];
const PATIENCE_MS = 20000;
const DOUBLE_MS = 80;

let isBusy = false;
let last = { key: "", at: 0 };

const unit = () => document.getElementById("unit");
const form = () => document.querySelector("#answer, #settle");
const isQueue = () => document.getElementById("answer") !== null;
const kept = () => `finassay decision ${unit()?.dataset.draw ?? ""}`;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function trouble(text, link) {
  const box = document.getElementById("trouble");
  if (!box) return;
  box.hidden = !text;
  box.textContent = text;
  if (text && link) {
    const a = document.createElement("a");
    a.href = link.href;
    a.textContent = link.text;
    box.append(" ", a);
  }
}

function tell(text) {
  const box = document.getElementById("said");
  if (box) box.textContent = text;
}

function show(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  const fresh = made.content.querySelector("#unit");
  if (!fresh) {
    location.reload();
    return;
  }
  const isHelpOpen = document.getElementById("help")?.open ?? false;
  unit().replaceWith(fresh);
  const help = document.getElementById("help");
  if (help) help.open = isHelpOpen;
  const { recorded, outcome, place } = fresh.dataset;
  if (recorded) tell(`${recorded} ${outcome === "revised" ? "stored as a revision" : "stored"}. ${place === "0" ? "Nothing waits." : `Number ${place}.`}`);
  fresh.focus({ preventScroll: true });
  scrollTo({ top: Math.min(scrollY, fresh.offsetTop), behavior: "instant" });
  last.at = performance.now();
}

async function ask(url, body) {
  const options = { headers: { [FRAGMENT]: "unit" }, signal: AbortSignal.timeout(PATIENCE_MS) };
  if (body !== undefined) {
    options.method = "POST";
    options.body = new URLSearchParams(body);
  }
  return fetch(url, options);
}

// Send a decision until it is answered for.
async function send(decision) {
  isBusy = true;
  sessionStorage.setItem(kept(), JSON.stringify(decision));
  for (let tries = 0; ; tries += 1) {
    const answer = await reply(decision);
    if (answer) {
      await take(answer);
      return;
    }
    trouble("The server does not answer. Your decision is kept in this window and is sent as soon as the server is back; there is nothing to do.");
    await pause(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]);
  }
}

async function reply(decision) {
  try {
    const answer = await ask(decision.url, decision.fields);
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return null;
    return { answer, text: await answer.text() };
  } catch {
    return null;
  }
}

async function take({ answer, text }) {
  if (answer.headers.get(FRAGMENT)) {
    sessionStorage.removeItem(kept());
    trouble("");
    show(text);
    isBusy = false;
    return;
  }
  if (answer.status === 403 || answer.redirected) {
    const way = `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
    trouble("You are not logged in any more. Your decision is kept in this window, and is sent when you are back.", { href: way, text: "Log in" });
    return;
  }
  sessionStorage.removeItem(kept());
  trouble("The server refused the answer; nothing was stored.", { href: location.href, text: "Load the page again" });
}

// Fields of the form as they stand, with the answer that was chosen.
function decided(button) {
  const fields = Object.fromEntries(new FormData(form()));
  fields.label = button.value;
  return { url: form().getAttribute("action"), fields };
}

function decide(button) {
  if (isBusy) return;
  if (!isQueue()) {
    isBusy = true;
    form().requestSubmit(button);
    return;
  }
  button.classList.add("given");
  send(decided(button));
}

async function go(url) {
  if (isBusy || !isQueue()) return;
  isBusy = true;
  try {
    const answer = await ask(url);
    if (answer.ok && answer.headers.get(FRAGMENT)) show(await answer.text());
    else location.href = url;
  } catch {
    location.href = url;
  } finally {
    isBusy = false;
  }
}

// What was decided before the page was loaded again is sent first, with this page's token.
function resume() {
  const held = sessionStorage.getItem(kept());
  if (!held || !document.getElementById("trouble")) return;
  const decision = JSON.parse(held);
  const token = form()?.elements.csrf?.value;
  if (token) decision.fields.csrf = token;
  send(decision);
}

function write(details, field) {
  const box = document.getElementById(details);
  if (box) box.open = true;
  document.getElementById(field)?.focus();
}

function flag() {
  const box = document.getElementById("flag");
  if (box) box.checked = !box.checked;
  if (!box || box.checked) write("correct", "correction");
}

function step(by) {
  const buttons = [...document.querySelectorAll(".options button")];
  if (!buttons.length) return;
  const at = buttons.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : buttons.length - 1) : (at + by + buttons.length) % buttons.length;
  buttons[next].focus();
}

const MOVES = {
  n: () => write("noting", "note"),
  f: flag,
  z: () => document.getElementById("back") && go(document.getElementById("back").href),
  Backspace: () => MOVES.z(),
  "?": () => {
    const help = document.getElementById("help");
    if (help) help.open = !help.open;
  },
  ArrowRight: () => step(1),
  ArrowDown: () => step(1),
  ArrowLeft: () => step(-1),
  ArrowUp: () => step(-1),
};

function isDouble(key) {
  // A key pressed twice by mistake must not answer the unit that has just come.
  return key === last.key && performance.now() - last.at < DOUBLE_MS;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const at = event.target;
  if (at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && at.type !== "checkbox")) {
    if (event.key === "Escape") unit()?.focus({ preventScroll: true });
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = document.querySelector(`.options button[data-key="${CSS.escape(key)}"]`);
  // Up and down read on, unless one of the answers is marked; inside a scrolled text all arrows do.
  const isAmong = at instanceof Element && at.closest(".options") !== null;
  const isInText = at instanceof Element && at.closest(".scroll") !== null;
  const isReading = key.startsWith("Arrow") && (isInText || (["ArrowUp", "ArrowDown"].includes(key) && !isAmong));
  if (isReading || !(button || MOVES[key])) return;
  event.preventDefault();
  if (!button) {
    MOVES[key]();
    return;
  }
  if (isBusy || isDouble(key)) return;
  last = { key, at: performance.now() };
  decide(button);
}

addEventListener("keydown", onKey);
addEventListener("submit", (event) => {
  if (event.target !== document.getElementById("answer") || !event.submitter?.value) return;
  event.preventDefault();
  decide(event.submitter);
});
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("#back, #on") : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.href);
});
// Says that keys are listened to.
document.body.dataset.keys = "on";
resume();
