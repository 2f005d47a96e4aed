// Runs in the frame of an element that has no session. The admin sends one message with a port and the address of the
// module; everything else goes over the port: properties to the element, its events back, and calls of the admin.

addEventListener("message", start, { once: true });

async function start({ data, ports: [port], source }) {
  if (source !== parent || !port) return;
  const { element: address, properties = {}, look } = data;
  const calls = new Map();
  const listeners = new Map(["theme", "locale", "object"].map((what) => [what, new Set()]));
  let count = 0;
  let sheet;
  let { facts, rights } = look;

  const call = (name, args) =>
    new Promise((resolve, reject) => {
      count += 1;
      calls.set(count, { resolve, reject });
      port.postMessage({ type: "call", id: count, name, args });
    });
  const fact = (name) => ({ enumerable: true, get: () => facts[name] });
  const cairn = {
    async fetch(path, init = {}) {
      const { method = "GET", headers, body } = init;
      const sent = { method, body, headers: Object.fromEntries(new Headers(headers)) };
      const { body: bytes, ...answer } = await call("fetch", [String(path), sent]);
      const hasBody = ![101, 204, 205, 304].includes(answer.status);
      return new Response(hasBody ? bytes : null, answer);
    },
    /** One sheet for the frame. */
    styles() {
      sheet ??= call("styles", []).then((text) => new CSSStyleSheet().replace(text));
      return sheet;
    },
    can: (operation, subject) => (rights[subject] ?? rights["*"] ?? []).includes(operation),
    subscribe(what, listener) {
      listeners.get(what)?.add(listener);
      return () => listeners.get(what)?.delete(listener);
    },
  };
  for (const name of ["api", "user", "locale", "theme", "density"]) Object.defineProperty(cairn, name, fact(name));
  for (const name of ["navigate", "openObject", "toast"]) cairn[name] = (...args) => void call(name, args);
  for (const name of ["pick", "confirm", "upload"]) cairn[name] = (...args) => call(name, args);

  const dress = ({ tokens }) => {
    const { style } = document.documentElement;
    for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value);
    style.colorScheme = facts.theme;
    document.documentElement.lang = facts.locale;
  };
  const fail = (error) => port.postMessage({ type: "failed", message: String(error) });
  // `font-family` of the tokens needs a font of the admin, which a frame does not have.
  document.documentElement.style.setProperty("--font", "system-ui, sans-serif");
  Object.assign(document.body.style, { margin: "0", color: "var(--ink)", font: "0.875rem / 1.25rem var(--font)" });
  dress(look);
  addEventListener("error", ({ error, message }) => fail(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  try {
    const { default: Element } = await import(address);
    class Framed extends Element {
      attachShadow(init) {
        return super.attachShadow({ ...init, delegatesFocus: true });
      }
    }
    customElements.define("cx-framed", Framed);
    const element = document.createElement("cx-framed");
    Object.assign(element, { cairn }, properties);
    for (const name of ["cairn-change", "cairn-invalid", "cairn-title"])
      element.addEventListener(name, ({ detail }) =>
        port.postMessage({ type: "event", name, detail: JSON.parse(JSON.stringify(detail ?? {})) }),
      );
    element.addEventListener("cairn-busy", ({ detail }) => {
      count += 1;
      const id = count;
      port.postMessage({ type: "busy", id });
      void Promise.resolve(detail?.promise)
        .catch(() => undefined)
        .then(() => port.postMessage({ type: "idle", id }));
    });
    port.onmessage = ({ data: message }) => {
      if (message.type === "properties") Object.assign(element, message.properties);
      if (message.type === "changed") for (const listener of listeners.get(message.what) ?? []) listener();
      if (message.type === "look") {
        ({ facts, rights } = message.look);
        dress(message.look);
        for (const listener of listeners.get(message.what) ?? []) listener();
      }
      if (message.type !== "answer") return;
      const { resolve, reject } = calls.get(message.id) ?? {};
      calls.delete(message.id);
      if (message.error === undefined) resolve?.(message.value);
      else reject?.(new Error(message.error));
    };
    new ResizeObserver(() =>
      port.postMessage({ type: "height", height: document.documentElement.getBoundingClientRect().height }),
    ).observe(document.documentElement);
    document.body.append(element);
    port.postMessage({ type: "ready" });
  } catch (error) {
    fail(error);
  }
}
