// Builds a data view: its definition runs in the sandbox, and its result is stored. When a build fails, the last good
// result stays. Loaded on the first build.

import { hash } from "node:crypto";
import { findAuthor } from "#content/code-authors.ts";
import { findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { runModule, SandboxError } from "#sandbox/run-module.ts";
import { findDocument, lockObject } from "#storage/tables/objects.ts";
import {
  findViewState,
  lockViewState,
  putViewError,
  putViewResult,
  type ViewState,
} from "#storage/tables/view-results.ts";
import { viewHost } from "./host.ts";
import { viewsCollection } from "./load-views.ts";
import { queueBuild, queueDependents } from "./rebuild-on-write.ts";

export interface Built {
  text: string;
  data: Json;
  durationMs: number;
  logs: string[];
}

export interface Building {
  signal?: AbortSignal;
  /** The views whose builds caused this one. */
  trail?: string[];
}

/** Undefined: the view does not exist any more. Throws only errors that a retry could fix. */
export async function buildView(
  app: App,
  id: string,
  { signal, trail = [] }: Building = {},
): Promise<ViewState | undefined> {
  const row = await findDocument(app.storage, viewsCollection, id);
  if (!row) return undefined;
  const document = JSON.parse(row.doc) as JsonObject;
  const before = await findViewState(app.storage, id);
  try {
    const ctx = await authorsContext(app, id, document);
    const built = await runDefinition(ctx, String(document.definition ?? ""), signal);
    await keep(app, id, { built, trail, before });
  } catch (error) {
    if (!(error instanceof SandboxError) || error.reason === "busy" || error.reason === "stopped") throw error;
    const failed = { error: error.message.slice(0, 2_000), tried: app.clock.iso() };
    await app.storage.write(async (tx) => {
      if (await lockObject(tx, viewsCollection, id)) await putViewError(tx, id, failed);
    });
  }
  return findViewState(app.storage, id);
}

/** A view reads what the author of its definition may read now. */
async function authorsContext(app: App, id: string, document: JsonObject): Promise<Context> {
  const author = await findAuthor(app, { collection: viewsCollection, id, document });
  const ctx = author && (await findOnBehalf(app, author));
  if (ctx) return ctx;
  const problem = author
    ? `${nameOfAuthor(author)}, who last saved the definition, has no rights any more`
    : "It is not known who last saved the definition";
  throw new SandboxError("author", `${problem}. Save "definition" again: the view then reads with your rights.`);
}

interface Work {
  built: Built;
  trail: string[];
  /** Start of the build. */
  before: ViewState | undefined;
}

async function keep(app: App, id: string, { built, trail, before }: Work): Promise<void> {
  const { text: data, durationMs } = built;
  const digest = hash("sha256", data, "hex").slice(0, 32);
  await app.storage.write(async (tx) => {
    // Deleted while it was built, or just now: nothing would ever remove the result.
    if (!(await lockObject(tx, viewsCollection, id))) return;
    const now = await lockViewState(tx, id);
    await putViewResult(tx, { id, data, hash: digest, built: app.clock.iso(), durationMs });
    // Two builds at a time, on demand and by the queue: either may have seen more.
    if (now?.tried !== before?.tried) queueBuild(app, tx, id, trail);
    if (now?.hash === digest) return;
    tx.touch(`view:${id}`);
    await app.reactions.run(tx, { type: "site.changed", part: `view:${id}` });
    await queueDependents(app, tx, { name: id, trail: [...trail, id] });
  });
}

/** Runs in the name of the context; throws SandboxError. */
export async function runDefinition(ctx: Context, source: string, signal?: AbortSignal): Promise<Built> {
  const { settings, clock } = ctx;
  const started = clock.now();
  const { result, logs } = await runModule({
    source,
    timeLimit: settings.get("views.timeLimit"),
    memoryLimit: settings.get("views.memoryLimit"),
    data: {},
    host: viewHost(ctx),
    ...(signal && { signal }),
  });
  if (typeof result !== "object" || result === null)
    throw new SandboxError("result", "A view must return a list or an object.");
  const text = JSON.stringify(result);
  const maxSize = settings.get("views.maxSize");
  if (Buffer.byteLength(text) > maxSize)
    throw new SandboxError("result", `The result is larger than ${maxSize} bytes.`);
  return { text, data: result, durationMs: clock.now() - started, logs: logs.map(({ line }) => line) };
}
