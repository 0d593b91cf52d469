// Charts: drawn when they come into view, in the colours of the page, and drawn again when those
// change.  Without this file, or when it fails, the words and the table of a figure remain.

const VARIABLES = {
  "#1b1b1b": "--ink",
  "#5c5c5c": "--muted",
  "#a3a3a3": "--quiet",
  "#dcdcdc": "--rule",
  "#fffffe": "--paper",
  "#0072b2": "--blue",
  "#d55e00": "--orange",
};

const OPTIONS = {
  mode: "vega-lite",
  renderer: "svg",
  actions: false,
  // Expressions are walked, not compiled: the policy of the page allows no eval.
  ast: true,
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true, theme: "page" },
  logLevel: 1,
};

const drawn = new Map();
let bundle;

function library() {
  bundle ??= import("./vega.js").then(() => globalThis.vegaEmbed);
  return bundle;
}

function specOf(element) {
  return JSON.parse(document.getElementById(element.dataset.chart).textContent);
}

/** Return a copy of a specification with the colours of the page in place of those it names. */
function recoloured(part, style) {
  if (typeof part === "string") {
    const variable = VARIABLES[part.toLowerCase()];
    return (variable && style.getPropertyValue(variable).trim()) || part;
  }
  if (Array.isArray(part)) return part.map((one) => recoloured(one, style));
  if (part && typeof part === "object") {
    return Object.fromEntries(
      Object.entries(part).map(([key, one]) => [
        key,
        // Rows are what was measured: a system may be called "#1b1b1b".
        key === "datasets" || key === "values" || key === "usermeta" ? one : recoloured(one, style),
      ]),
    );
  }
  return part;
}

async function draw(element) {
  const known = drawn.get(element);
  if (known?.busy) {
    known.again = true;
    return;
  }
  const state = known ?? { view: null, step: -1 };
  drawn.set(element, state);
  state.busy = true;
  try {
    const spec = specOf(element);
    const embed = await library();
    const plot = place(element, "plot");
    const result = await embed(plot, recoloured(spec, getComputedStyle(element)), OPTIONS);
    state.finalize?.();
    state.view = result.view;
    state.finalize = () => result.finalize();
    state.steps = spec.usermeta?.steps ?? [];
    state.field = spec.usermeta?.field;
    element.dataset.drawn = String(Number(element.dataset.drawn ?? 0) + 1);
    if (!known) equip(element, state, spec);
    else show(state, element);
  } catch (error) {
    failed(element, error);
  }
  state.busy = false;
  if (state.again) {
    state.again = false;
    draw(element);
  }
}

function place(element, name) {
  let found = element.querySelector(`:scope > .${name}`);
  if (!found) {
    found = document.createElement("div");
    found.className = name;
    element.append(found);
  }
  return found;
}

function failed(element, error) {
  element.hidden = true;
  element.closest("figure")?.classList.add("undrawn");
  element.dataset.failed = String(error?.message ?? error);
}

// What a chart offers once it is drawn: keys, and files to keep.

function equip(element, state, spec) {
  const figure = element.closest("figure") ?? element.parentElement;
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  const tools = document.createElement("div");
  tools.className = "tools";
  const name = element.dataset.chart.replace(/-spec$/, "");
  tools.append(
    button("Save SVG", () => saveSvg(element, spec, name)),
    button("Save PNG", () => savePng(element, spec, name)),
    button("Save data", () => saveData(spec, name)),
  );
  element.after(said, tools);
  figure.classList.add("drawn");
  state.said = said;
  if (state.steps.length) {
    element.tabIndex = 0;
    element.setAttribute("aria-keyshortcuts", "ArrowUp ArrowDown Home End Escape");
    element.addEventListener("keydown", (event) => step(event, element));
  }
}

function button(label, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", action);
  return made;
}

const MOVES = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function step(event, element) {
  const state = drawn.get(element);
  const last = state.steps.length - 1;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in MOVES) {
    const at = state.step + MOVES[event.key];
    state.step = state.step < 0 ? (MOVES[event.key] > 0 ? 0 : last) : Math.min(Math.max(at, 0), last);
  } else if (event.key === "Home") state.step = 0;
  else if (event.key === "End") state.step = last;
  else if (event.key === "Escape") state.step = -1;
  else return;
  event.preventDefault();
  show(state, element);
}

/** Light up the current step, and say it. */
function show(state, element) {
  if (!state.steps.length || (state.step < 0 && !state.said?.textContent)) return;
  const current = state.steps[state.step];
  const rows = current
    ? [{ unit: "", fields: [{ type: "E", field: state.field }], values: [current[0]] }]
    : [];
  state.view.data("picked_store", rows).runAsync().catch((error) => failed(element, error));
  state.said.textContent = current ? current[1] : "";
}

// Files are always drawn in the colours of paper, whatever the page looks like.

async function onPaper(element, spec, use) {
  const embed = await library();
  const holder = document.createElement("div");
  const width = Math.max(element.clientWidth, 720);
  const made = await embed(holder, { ...spec, width, background: "white" }, OPTIONS);
  try {
    return await use(made.view);
  } finally {
    made.finalize();
  }
}

async function saveSvg(element, spec, name) {
  const text = await onPaper(element, spec, (view) => view.toSVG());
  save(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`);
}

async function savePng(element, spec, name) {
  const canvas = await onPaper(element, spec, (view) => view.toCanvas(2));
  canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
}

function saveData(spec, name) {
  const rows = spec.datasets ?? spec.data?.values ?? spec;
  save(new Blob([JSON.stringify(rows, null, 1)], { type: "application/json" }), `${name}.json`);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// When to draw.

const near = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      draw(entry.target);
    }
  },
  { rootMargin: "600px 0px" },
);

function watch(root) {
  for (const [element, state] of drawn) {
    if (element.isConnected) continue;
    state.finalize?.();
    drawn.delete(element);
  }
  for (const element of root.querySelectorAll("[data-chart]")) {
    if (!drawn.has(element)) near.observe(element);
  }
}

function redraw() {
  for (const element of drawn.keys()) draw(element);
}

watch(document);
document.addEventListener("htmx:load", (event) => watch(event.target));
for (const query of ["(prefers-color-scheme: dark)", "print"]) {
  matchMedia(query).addEventListener("change", redraw);
}
new MutationObserver(redraw).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ["data-theme", "class"],
});
