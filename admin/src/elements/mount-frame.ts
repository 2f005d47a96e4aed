// The element of an extension in a frame that has no session and no origin. All it can do goes over one port; what may be
// asked is checked here.

import { fetchPath } from "#api/client.ts";
import { factsOf, rightsTable, subscribe } from "./admin-api.ts";
import { framePath } from "./frame-paths.ts";
import { loadLimitMs } from "./load-element.ts";
import { type ElementEvent, elementEvents, type Mounted, type Mounting } from "./mounting.ts";

const maxHeight = 8_000;

interface Message {
  type: "ready" | "failed" | "event" | "busy" | "idle" | "height" | "call";
  id?: number;
  name?: string;
  args?: unknown[];
  detail?: Record<string, unknown>;
  height?: number;
  message?: string;
}

export function mountFrame(mounting: Mounting): Promise<Mounted> {
  const { part, container, title, start, properties, hear, fail } = mounting;
  const { promise, resolve, reject } = Promise.withResolvers<Mounted>();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  frame.title = title;
  frame.height = "60";
  frame.src = `${part.assets}~frame.html`;
  const { port1: port, port2: theirs } = new MessageChannel();
  const timer = setTimeout(() => end(new Error("The frame did not load in 8 seconds.")), loadLimitMs);
  const working = new Map<unknown, () => void>();
  let isReady = false;

  const look = () => ({ facts: factsOf(start()), rights: rightsTable(start()), tokens: tokensNow() });
  const send = (message: unknown) => port.postMessage(message);
  const refresh = (what: string) => send({ type: "look", look: look(), what });
  const ends = [
    subscribe("theme", () => refresh("theme")),
    subscribe("locale", () => refresh("locale")),
    subscribe("object", () => send({ type: "changed", what: "object" })),
  ];
  const remove = () => {
    clearTimeout(timer);
    for (const stop of ends) stop();
    for (const done of working.values()) done();
    port.close();
    frame.remove();
  };
  const end = (error: unknown) => {
    remove();
    if (isReady) fail(error);
    else reject(error);
  };

  port.onmessage = ({ data }: MessageEvent<Message>) => {
    const { type, id = 0, name = "", args = [], detail } = data;
    if (type === "failed") end(new Error(String(data.message ?? "").slice(0, 500)));
    if (type === "height") frame.height = String(Math.min(maxHeight, Math.max(0, Math.ceil(Number(data.height) || 0))));
    if (type === "event" && isEvent(name)) hear({ name, detail });
    if (type === "busy") {
      const work = Promise.withResolvers<void>();
      working.set(id, work.resolve);
      hear({ name: "cairn-busy", detail: { promise: work.promise } });
    }
    if (type === "idle") {
      working.get(id)?.();
      working.delete(id);
    }
    if (type === "call")
      answer(mounting, name, args).then(
        (value) => send({ type: "answer", id, value }),
        (error: unknown) => send({ type: "answer", id, error: error instanceof Error ? error.message : String(error) }),
      );
    if (type === "ready" && !isReady) {
      isReady = true;
      clearTimeout(timer);
      resolve({ set: (next) => send({ type: "properties", properties: plain(next) }), remove });
    }
  };
  frame.onload = () => {
    const first = {
      element: new URL(part.address, location.origin).href,
      properties: plain(properties()),
      look: look(),
    };
    // The frame has no origin that could be named.
    frame.contentWindow?.postMessage(first, "*", [theirs]);
  };
  container.replaceChildren(frame);
  return promise;
}

function isEvent(name: string): name is ElementEvent["name"] {
  return name !== "cairn-busy" && (elementEvents as readonly string[]).includes(name);
}

/** Only JSON crosses. */
function plain(properties: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(properties));
}

/** The calls of the facade that a frame may make. Everything in `args` is the extension's word. */
async function answer({ part, api }: Mounting, name: string, args: readonly unknown[]): Promise<unknown> {
  const [first, second] = args as [never, never];
  switch (name) {
    case "fetch":
      return fetchFor(part, String(first), (second ?? {}) as RequestInit);
    case "navigate":
      return api.navigate(String(first));
    case "openObject":
      return api.openObject(String(first), String(second));
    case "pick":
      return api.pick(first);
    case "confirm":
      return api.confirm(first);
    case "toast":
      return api.toast(String(first), second);
    case "styles":
      return (await import("./ui-sheet.ts")).uiText;
    case "upload": {
      const { target, file } = first as { target: string; file: File };
      const [collection = "", id = ""] = String(target).split("/");
      if (framePath(part, `/api/collections/${collection}/${id}`, "PATCH") === undefined)
        throw new Error(`The extension may not change objects of ${collection}.`);
      return api.upload({ target: String(target), file });
    }
    default:
      throw new Error(`There is no cairn.${name} in a frame.`);
  }
}

async function fetchFor(part: Mounting["part"], path: string, init: RequestInit): Promise<unknown> {
  const { method = "GET", headers, body } = init;
  const address = framePath(part, path, method);
  if (address === undefined) throw new Error("A frame reaches its own routes and declared collections alone.");
  const response = await fetchPath(address, {
    method,
    ...(headers && { headers: headers as Record<string, string> }),
    ...(body !== undefined && body !== null && { body }),
  });
  const { status, statusText } = response;
  return { status, statusText, headers: [...response.headers], body: await response.arrayBuffer() };
}

const tokenNames =
  "ground surface raised sunken line edge ink ink-2 ink-3 accent accent-strong accent-soft on-accent good good-soft warn warn-soft bad bad-soft info info-soft mono text-caption text-cell text-base text-reading text-h3 text-h2 text-h1 space-1 space-2 space-3 space-4 space-5 space-6 space-7 space-8 radius-control radius-slab radius-full row control";

/** The look of the admin, which frames do not inherit. */
function tokensNow(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(tokenNames.split(" ").map((name) => [`--${name}`, style.getPropertyValue(`--${name}`)]));
}
