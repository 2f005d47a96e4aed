// The facade: what the code of an extension sees as `cairn` and `call`. It imports nothing and uses nothing but the
// language, because the same text runs in the host thread and in the sandbox. types/extension.d.ts says what it promises.

import type { Json, JsonObject } from "#contract/json.ts";
import type { HostedExtension, Refusal } from "./messages.ts";

/** What a function of an extension throws on purpose, and what the service refuses it. */
export class ExtensionRefusal extends Error {
  readonly refusal: Refusal;
  readonly status: number;
  readonly details: Refusal["details"];

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "CairnError";
    this.refusal = refusal;
    this.status = refusal.status;
    this.details = refusal.details;
  }
}

/** One call, as the runtime hands it to a function. */
export interface Running {
  actor: JsonObject;
  requestId: string;
  signal: unknown;
  /** Asks the service in the name of the caller. */
  ask(name: string, args: Json[]): Promise<Json>;
}

type Run = (running: Running, args: readonly unknown[]) => unknown;
/** By `kind:name`. */
export type Functions = Map<string, Run>;

export interface FacadeParts {
  ask(acting: "as" | "own", call: number | null, name: string, args: Json[]): Promise<Json>;
  settings(): JsonObject;
  /** Made when it is asked for; null where the code keeps no files. */
  dataFolder(): string | null;
  log(level: string, text: string, data: Json): void;
}

// biome-ignore lint/suspicious/noExplicitAny: functions of extensions take what their kind says
type Supplied = (...args: any[]) => unknown;
type Asking = (name: string, args: Json[]) => Promise<Json>;

export interface Facade {
  cairn: Record<string, unknown>;
  functions: Functions;
  /** After `register`: no more functions. */
  close(): void;
}

const statuses = [400, 401, 403, 404, 409, 422, 429];

export function createFacade(
  extension: Pick<HostedExtension, "id" | "version" | "cairnVersion"> & { folder: string | null },
  parts: FacadeParts,
): Facade {
  const functions: Functions = new Map();
  let isClosed = false;

  function add(kind: string, name: unknown, run: unknown, make: (supplied: Supplied) => Run): void {
    if (isClosed) throw new Error("Functions can be supplied only while register runs.");
    if (typeof name !== "string" || typeof run !== "function")
      throw new Error(`${kind}: a name and a function are needed.`);
    const key = `${kind}:${name}`;
    if (functions.has(key)) throw new Error(`${key} was supplied twice.`);
    functions.set(key, make(run as Supplied));
  }

  /** Kinds with several functions of one name: the first argument says which. */
  function addGroup(kind: string, name: unknown, group: unknown): void {
    const handlers = (typeof group === "object" && group !== null ? group : {}) as Record<string, unknown>;
    add(
      kind,
      name,
      () => {},
      () =>
        (running, [method, ...args]) => {
          const handler = handlers[String(method)];
          if (typeof handler !== "function") throw new Error(`${kind}:${name} has no function ${String(method)}.`);
          return (handler as Supplied).call(handlers, ...args, callOf(running));
        },
    );
  }

  const withCall =
    (supplied: Supplied): Run =>
    (running, args) =>
      supplied(callOf(running), ...args);
  const withRequest =
    (supplied: Supplied): Run =>
    (running, [request]) =>
      supplied({ ...callOf(running), ...(request as object) });
  const plain =
    (supplied: Supplied): Run =>
    (_running, args) =>
      supplied(...args);
  const watched =
    (supplied: Supplied): Run =>
    async (_running, [visit]) => {
      const reads = new Set<string>();
      const verdict = await supplied(watchVisit(visit as Record<string, object>, reads));
      return { verdict, reads: [...reads] };
    };
  const own: Asking = (name, args) => parts.ask("own", null, name, args);
  const log = (level: string) => (text: unknown, data?: Json) =>
    parts.log(level, String(text).slice(0, 2_000), data ?? null);

  const cairn: Record<string, unknown> = {
    id: extension.id,
    version: extension.version,
    api: 1,
    cairnVersion: extension.cairnVersion,
    folder: extension.folder,
    get dataFolder() {
      return parts.dataFolder();
    },
    route: (name: string, run: Supplied) => add("routes", name, run, withRequest),
    siteRoute: (name: string, run: Supplied) => add("siteRoutes", name, run, withRequest),
    tool: (name: string, run: Supplied) => add("tools", name, run, withCall),
    prompt: (name: string, run: Supplied) => add("prompts", name, run, withCall),
    filter: (name: string, run: Supplied) => add("filters", name, run, plain),
    command: (name: string, run: Supplied) =>
      add(
        "commands",
        name,
        run,
        (supplied) =>
          (running, [about, ...args]) =>
            supplied({ ...callOf(running), ...(about as object), print: printer(running) }, ...args),
      ),
    reaction: (name: string, run: Supplied) => add("reactions", name, run, withCall),
    check: (name: string, run: Supplied) => add("checks", name, run, withCall),
    schedule: (name: string, run: Supplied) => add("schedules", name, run, withCall),
    formAction: (name: string, run: Supplied) => add("formActions", name, run, withCall),
    formGuard: (name: string, run: Supplied) => add("formGuards", name, run, plain),
    pageStep: (name: string, run: Supplied) => add("pageSteps", name, run, watched),
    field: (kind: string, group: unknown) => addGroup("fields", kind, group),
    resource: (name: string, group: unknown) => addGroup("resources", name, group),
    searchProvider: (name: string, group: unknown) => addGroup("searchProviders", name, group),
    own: actingBy(own),
    settings: { get: (key: string) => parts.settings()[key], all: () => ({ ...parts.settings() }) },
    store: {
      get: (key: Json) => own("store.get", [key]),
      set: (key: Json, value: Json, options: Json = {}) => own("store.set", [key, value, options]),
      delete: (key: Json) => own("store.delete", [key]),
      list: (prefix: Json, cursor: Json = null) => own("store.list", [prefix, cursor]),
    },
    log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    fail(status: number, message: string, details?: Refusal["details"]) {
      if (!statuses.includes(status)) throw new Error(`fail: the status must be one of ${statuses.join(", ")}.`);
      throw new ExtensionRefusal({ status, message: String(message).slice(0, 500), details });
    },
    html: (text: unknown) => ({ $html: String(text) }),
  };
  return {
    cairn: Object.freeze(cairn),
    functions,
    close() {
      isClosed = true;
    },
  };
}

/** Notes what is read of the visitor: the answer depends on it, and on nothing else of the visitor. */
function watchVisit(visit: Record<string, object>, reads: Set<string>): object {
  const watch = (word: string, values: object) =>
    new Proxy(values, {
      get(target, name) {
        if (typeof name === "string") reads.add(`${word}:${name}`);
        return Object.hasOwn(target, name) ? Reflect.get(target, name) : undefined;
      },
      has(target, name) {
        reads.add(`${word}:${String(name)}`);
        return Object.hasOwn(target, name);
      },
      ownKeys(target) {
        reads.add(`${word}:*`);
        return Reflect.ownKeys(target);
      },
    });
  const { query = {}, headers = {}, cookies = {}, user, ...rest } = visit;
  return {
    ...rest,
    query: watch("query", query),
    headers: watch("header", headers),
    cookies: watch("cookie", cookies),
    get user() {
      reads.add("user");
      return user;
    },
  };
}

function printer({ ask }: Running): (text: unknown) => Promise<Json> {
  return (text) => ask("print", [String(text)]);
}

function callOf({ actor, requestId, signal, ask }: Running): object {
  return { as: actingBy(ask), actor, requestId, signal };
}

/** Functions of the service, by dotted name. */
const names = [
  ...["objects.get", "objects.list", "objects.query", "objects.search", "objects.create", "objects.replace"],
  ...["objects.patch", "objects.delete", "objects.clone", "objects.increment"],
  ...["deck.get", "deck.create", "deck.replace", "deck.delete", "files.read", "files.save"],
  ...["views.get", "mail.send", "jobs.add", "fetch", "render"],
];

function actingBy(ask: Asking): Record<string, unknown> {
  const acting: Record<string, unknown> = {};
  for (const name of names) {
    const [first = "", second] = name.split(".");
    const run = (...args: Json[]) =>
      ask(
        name,
        args.map((value) => (value === undefined ? null : value)),
      );
    if (second === undefined) acting[first] = run;
    else acting[first] = { ...(acting[first] as object), [second]: name === "objects.list" ? dataOf(run) : run };
  }
  return acting;
}

/** A list is a plain list; `query` has the total and the cursor. */
function dataOf(run: (...args: Json[]) => Promise<Json>): (...args: Json[]) => Promise<Json> {
  return async (...args) => ((await run(...args)) as { data: Json }).data;
}
