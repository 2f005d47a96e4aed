// Runs in pages of `cairn dev` only, after change-page.js. Style sheets that changed are exchanged, the page is changed in place,
// and a small panel shows warnings, queries and whether the page can be kept.

const violations = new Set();
let isAsking = false;
let isBehind = false;

function reportOf(page) {
  return JSON.parse(page.getElementById("cairn-dev")?.textContent ?? "{}");
}

const events = new EventSource("/-/dev/events");
let wasOpen = false;
// After a restart of the server anything may be different.
events.addEventListener("open", () => {
  if (wasOpen) void update();
  wasOpen = true;
});
events.addEventListener("message", ({ data }) => {
  const change = JSON.parse(data);
  if (change.kind === "violation") {
    violations.add(change.text);
    showPanel();
  } else if (change.kind === "style") exchangeStyle(change.path);
  else if (change.kind === "files") location.reload();
  else void update();
});

/** Addresses of exchanged style sheets, by path: a page that was asked for before has the former ones. */
const exchanged = new Map();

function stylesOf(page, path) {
  const links = [...page.querySelectorAll('link[rel="stylesheet"]')];
  return links.filter((link) => new URL(link.getAttribute("href") ?? "", location.href).pathname === path);
}

/** The new one is loaded before the old one goes, so that nothing flickers. */
function exchangeStyle(path) {
  const former = stylesOf(document, path);
  const last = former.at(-1);
  if (!last) {
    void update();
    return;
  }
  const next = last.cloneNode();
  exchanged.set(path, `${path}?dev=${Date.now()}`);
  next.setAttribute("href", exchanged.get(path));
  next.addEventListener("load", () => {
    for (const link of former) link.remove();
  });
  last.after(next);
}

function exchangeAgain(page) {
  for (const [path, href] of exchanged) for (const link of stylesOf(page, path)) link.setAttribute("href", href);
}

/** One request at a time; the last state wins. */
async function update() {
  if (isAsking) {
    isBehind = true;
    return;
  }
  isAsking = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" });
    // The policy of this page covers no other inline code.
    const { status, policy } = reportOf(document);
    if (answer.status !== status || answer.headers.get("content-security-policy") !== policy) {
      location.reload();
      return;
    }
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    // Scripts run once.
    if (scriptsOf(next) !== scriptsOf(document)) location.reload();
    else {
      exchangeAgain(next);
      changePage(next);
      showPanel();
    }
  } catch {
    // The server restarts; the stream of events says when it is back.
  } finally {
    isAsking = false;
    if (isBehind) {
      isBehind = false;
      void update();
    }
  }
}

function scriptsOf(page) {
  const scripts = page.querySelectorAll("script:not(#cairn-dev)");
  return [...scripts].map((script) => script.getAttribute("src") ?? script.textContent).join("\n");
}

const panel = document.createElement("cairn-dev-panel");
const shadow = panel.attachShadow({ mode: "open" });
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483647; max-width: min(36rem, calc(100vw - 2rem));
    font: 14px/1.5 system-ui, sans-serif; color: #eceeec; }
  details { background: #1a1e1d; border: 1px solid #4a524f; border-radius: 8px; box-shadow: 0 4px 16px rgb(0 0 0 / .3); }
  summary { padding: .4rem .8rem; cursor: pointer; }
  summary:focus-visible, a:focus-visible { outline: 2px solid #f0a063; outline-offset: 2px; }
  .all { padding: 0 .8rem .8rem; max-height: 50vh; overflow: auto; overflow-wrap: anywhere; }
  h2 { font-size: 1em; margin: .6rem 0 .2rem; }
  ul { margin: 0; padding-inline-start: 1.2rem; }
  p { margin: .6rem 0 0; }
  a { color: #f0a063; }
  .has-warnings summary { color: #ffc9a3; }
`);
shadow.adoptedStyleSheets = [sheet];

function element(name, text = "", children = []) {
  const made = document.createElement(name);
  if (text !== "") made.textContent = text;
  made.append(...children);
  return made;
}

function plural(count, word, many) {
  return `${count} ${count === 1 ? word : many}`;
}

function showPanel() {
  const { warnings = [], queries = [], ms = 0, kept = "", templates = [] } = reportOf(document);
  const told = [...warnings.map(warningOf), ...[...violations].map((text) => element("li", text))];
  const isOpen = shadow.querySelector("details")?.open ?? false;
  const title = `${plural(told.length, "warning", "warnings")}, ${plural(queries.length, "query", "queries")}, ${ms} ms`;
  const all = element("div");
  all.className = "all";
  if (told.length > 0) all.append(element("h2", "Warnings"), element("ul", "", told));
  if (queries.length > 0) {
    const lines = queries.map(({ what, ms: took }) => element("li", `${what}: ${took} ms`));
    all.append(element("h2", "Queries"), element("ul", "", lines));
  }
  all.append(element("p", kept), element("p", templates.length > 0 ? `Templates: ${templates.join(", ")}` : ""));
  const details = element("details", "", [element("summary", title), all]);
  details.open = isOpen;
  if (told.length > 0) details.className = "has-warnings";
  shadow.replaceChildren(details);
}

function warningOf({ text, template, line }) {
  const item = element("li", `${text} `);
  if (template === "") return item;
  const link = element("a", line > 0 ? `${template}, line ${line}` : template);
  link.href = `/admin/templates/${encodeURI(template)}`;
  item.append(link);
  return item;
}

panel.setAttribute("role", "region");
panel.setAttribute("aria-label", "Development");
document.documentElement.append(panel);
showPanel();
