// Runs in the frame of an element that has no session. The admin sends one message with a port and the address of the
// module; everything else goes over the port: properties to the element, its events back, and calls of the admin.

addEventListener("message", start, { once: true });

async function start({ data, ports: [port], source }) {
  if (source !== parent || !port) return;
  const { element: address, properties = {} } = data;
  const calls = new Map();
  const call = (name, args) =>
    new Promise((resolve, reject) => {
      const id = calls.size + 1;
      calls.set(id, { resolve, reject });
      port.postMessage({ type: "call", id, name, args });
    });
  const cairn = (facts) =>
    new Proxy(facts, {
      get: (known, name) =>
        name in known || typeof name === "symbol" || name === "then" ? known[name] : (...args) => call(name, args),
    });
  const put = (element, { cairn: facts, ...values }) => {
    Object.assign(element, values);
    if (facts) element.cairn = cairn(facts);
  };
  try {
    const { default: Element } = await import(address);
    customElements.define("cx-framed", Element);
    const element = document.createElement("cx-framed");
    put(element, properties);
    for (const name of ["cairn-change", "cairn-busy", "cairn-invalid", "cairn-title"])
      element.addEventListener(name, ({ detail }) =>
        port.postMessage({ type: "event", name, detail: JSON.parse(JSON.stringify(detail ?? null)) }),
      );
    port.onmessage = ({ data: message }) => {
      if (message.type === "properties") put(element, message.properties);
      if (message.type !== "answer") return;
      const { resolve, reject } = calls.get(message.id) ?? {};
      if (message.error === undefined) resolve?.(message.value);
      else reject?.(new Error(message.error));
    };
    new ResizeObserver(() =>
      port.postMessage({ type: "height", height: document.documentElement.scrollHeight }),
    ).observe(document.documentElement);
    document.body.append(element);
    port.postMessage({ type: "ready" });
  } catch (error) {
    port.postMessage({ type: "failed", message: String(error) });
  }
}
