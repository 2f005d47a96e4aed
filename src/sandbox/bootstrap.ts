// The code that runs inside the sandbox before the handler: it turns texts into the handler's `ctx`.
// Its only links to the outside are the functions `call`, `log` and `finish`, which take and give texts.

import { limits } from "./messages.ts";

/** Reported for a handler that throws null, and for one without memory left for its error. */
export const threwNull = "The handler threw null.";

export const bootstrap = `(call, log, finish) => {
  "use strict";
  const { parse, stringify } = JSON;
  const maxText = ${limits.text};

  function describe(error) {
    try {
      if (error === null) return "${threwNull}";
      if (!(error instanceof Error)) return typeof error === "string" ? error : stringify(error) ?? String(error);
      const [, place] = /\\(((?:handler\\.js|[\\w./-]+\\.ts):\\d+(?::\\d+)?)\\)|(?:^|\\n)\\s*at ((?:handler\\.js|[\\w./-]+\\.ts):\\d+(?::\\d+)?)/.exec(error.stack ?? "")
        ?.filter((part, index) => index === 0 || part !== undefined) ?? [];
      const details = error.details ? " " + stringify(error.details) : "";
      return error.name + ": " + error.message + details + (place ? " (" + place + ")" : "");
    } catch {
      return "The handler threw something that cannot be shown.";
    }
  }

  function show(value) {
    if (typeof value === "string") return value;
    if (value instanceof Error) return describe(value);
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  }

  function hostFunction(name) {
    return async (...args) => {
      const answer = parse(await call(name, stringify(args)));
      if (answer.error === undefined) return answer.value;
      throw Object.assign(new Error(answer.error.message), answer.error);
    };
  }

  function makeContext(data, names) {
    const ctx = parse(data);
    for (const name of names) {
      const path = name.split(".");
      const last = path.pop();
      let at = ctx;
      for (const part of path) at = at[part] ??= {};
      at[last] = hostFunction(name);
    }
    const logger = (level) => (...values) => log(level, values.map(show).join(" "));
    ctx.log = Object.assign(logger("info"), { info: logger("info"), warn: logger("warn"), error: logger("error") });
    ctx.now = () => new Date().toISOString();
    globalThis.console = { log: ctx.log, info: ctx.log.info, warn: ctx.log.warn, error: ctx.log.error };
    return ctx;
  }

  return async (module, data, names) => {
    let value;
    try {
      const handler = (await module).default;
      if (typeof handler !== "function") return finish("syntax", "The default export of the module is not a function.");
      value = await handler(makeContext(data, parse(names)));
    } catch (error) {
      return finish("threw", describe(error));
    }
    let text;
    try {
      text = stringify(value ?? null) ?? "null";
    } catch (error) {
      return finish("result", "The result is not JSON: " + describe(error));
    }
    if (text.length > maxText) return finish("result", "The result is larger than " + maxText + " characters.");
    finish("", text);
  };
}`;
