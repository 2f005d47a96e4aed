// Runs a function of a `sandbox` extension in a QuickJS machine of its own: the facade is all it has. Only JSON crosses, and
// everything that comes back is as untrusted as the code.

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { ErrorDetails } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { HostCrash, type HostOrder, HostRefusal, replyTo } from "#extensions/host/host.ts";
import type { Refusal } from "#extensions/host/messages.ts";
import { runModule, SandboxError } from "#sandbox/run-module.ts";
import { readModules } from "./modules.ts";
import { takePlace } from "./places.ts";

const timeLimit = 30;
const memoryLimit = 64;
const facadeName = "cairn:facade";

/** As text: the machine has no files. */
let facadeText: string | undefined;

function facade(): string {
  facadeText ??= stripTypeScriptTypes(readFileSync(join(import.meta.dirname, "..", "host", "facade.ts"), "utf8"));
  return facadeText;
}

/** Loads the extension, finds the function, calls it. A refusal is a result, so that nothing of it is lost on the way. */
const entry = (code: string) => `import { createFacade, ExtensionRefusal } from "${facadeName}";
import * as code from ${JSON.stringify(code)};
const run = async (ctx) => {
  const { extension, kind, name, args, actor, requestId, settings } = ctx.order;
  const ask = async (acting, wanted, given) => {
    const { value, refusal } = await ctx.ask(acting, wanted, given);
    if (refusal) throw new ExtensionRefusal(refusal);
    return value;
  };
  try {
    if (typeof code.register !== "function") return { unfit: "It exports no function register(cairn)." };
    const facade = createFacade(extension, {
      ask: (acting, _call, wanted, given) => ask(acting, wanted, given),
      settings: () => settings,
      dataFolder: () => null,
      log: (level, text, data) => void ctx.note(level, text, data),
    });
    await code.register(facade.cairn);
    facade.close();
    const missing = extension.functions.filter((wanted) => !facade.functions.has(wanted));
    const unknown = [...facade.functions.keys()].filter((wanted) => !extension.functions.includes(wanted));
    if (missing.length > 0) return { unfit: "It supplies no function for " + missing.join(", ") + "." };
    if (unknown.length > 0)
      return { unfit: "It supplies functions that its manifest does not name: " + unknown.join(", ") + "." };
    const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
    const running = { actor, requestId, signal, ask: (wanted, given) => ask("as", wanted, given) };
    const value = await facade.functions.get(kind + ":" + name)(running, args);
    return { value: value === undefined ? null : value };
  } catch (error) {
    if (error instanceof ExtensionRefusal) return { refusal: error.refusal };
    throw error;
  }
};
export { run as default };
`;

/** `note`: lines that the code logs. */
export async function runSandboxed(
  order: HostOrder & { files: ReadonlySet<string>; mark: string },
  note: (line: { level: string; text: string; data: Json }) => void,
): Promise<unknown> {
  const { extension, kind, name, actor, requestId, settings } = order;
  const { entrypoint, texts } = await readModules(extension, order);
  const give = await takePlace(extension.id, order.signal);
  try {
    const args = await Promise.all(order.args.map(asJson));
    order.began();
    const known = { id: extension.id, version: extension.version, cairnVersion: extension.cairnVersion, folder: null };
    const about = { ...known, functions: extension.functions };
    const { result } = await runModule({
      source: entry(`./${entrypoint}`),
      modules: { ...texts, [facadeName]: facade() },
      timeLimit,
      memoryLimit,
      data: { order: { extension: about, kind, name, args, actor, requestId, settings } },
      host: {
        ask: async (acting, wanted, given) => {
          const reply = await replyTo(() =>
            order.answer(acting === "own" ? "own" : "as", String(wanted), Array.isArray(given) ? given : []),
          );
          return { ...reply } as JsonObject;
        },
        note: async (level, text, data) => {
          const levels = ["debug", "info", "warn", "error"];
          note({
            level: levels.includes(String(level)) ? String(level) : "info",
            text: String(text),
            data: data ?? null,
          });
          return null;
        },
      },
      ...(order.signal && { signal: order.signal }),
      onLog: ({ level, line }) => note({ level, text: line, data: null }),
    });
    return readResult(result);
  } catch (error) {
    if (error instanceof SandboxError) throw new HostCrash({ message: error.message, stack: "" });
    throw error;
  } finally {
    give();
  }
}

function readResult(result: Json): Json {
  if (!isJsonObject(result)) return null;
  const { unfit, refusal, value = null } = result;
  if (typeof unfit === "string")
    throw new HostCrash({ message: unfit.slice(0, 2_000), stack: "" }, { isLoading: true });
  if (isJsonObject(refusal)) throw new HostRefusal(readRefusal(refusal));
  return value;
}

/** What code made of it is checked again. */
function readRefusal({ status, message, details }: JsonObject): Refusal {
  const texts = isJsonObject(details) ? Object.entries(details).slice(0, 100) : [];
  const kept: ErrorDetails = Object.fromEntries(
    texts.map(([key, said]) => [key.slice(0, 200), (Array.isArray(said) ? said : [said]).slice(0, 20).map(String)]),
  );
  return {
    status: typeof status === "number" ? status : 500,
    message: String(message).slice(0, 500),
    ...(texts.length > 0 && { details: kept }),
  };
}

/** Bytes and streams come as text. */
async function asJson(arg: unknown): Promise<Json> {
  const body = typeof arg === "object" && arg !== null && "body" in arg ? arg.body : undefined;
  if (body instanceof Uint8Array) return { ...(arg as JsonObject), body: Buffer.from(body).toString("utf8") };
  if (body instanceof ReadableStream) return { ...(arg as JsonObject), body: await new Response(body).text() };
  return arg as Json;
}
