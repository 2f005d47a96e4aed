// Lines that extensions log, their crashes, and what follows: an extension that cannot be loaded is marked as failed, one
// that crashes again and again in production is quarantined.

import { system } from "#access/actor.ts";
import { audit } from "#access/audit.ts";
import { type App, contextFor } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import { insertLogLines, type LogRow } from "#storage/tables/extensions/extension-log.ts";
import { listExtensionRows, lockExtension, putExtension } from "#storage/tables/extensions/extensions.ts";
import { hashOfCode } from "./discover.ts";
import { cutData } from "./host/log-lines.ts";
import { loadExtensions } from "./load-extensions.ts";
import { blankRow, failureText, readFailure } from "./rows.ts";
import type { CallStats } from "./stats.ts";

const kept = { lines: 200, crashes: 20 };
const flushMs = 500;
/** So many crashes in so long a time are too many. */
const maxCrashes = 5;
const crashWindowMs = 300_000;

export interface CrashNotes {
  log(app: App, id: string, line: { level: string; text: string; data: Json }): void;
  crashed(
    app: App,
    id: string,
    crash: { message: string; stack: string },
    more?: { about?: string | undefined; requestId?: string | undefined },
  ): void;
  /** A wrong answer: among the errors of the extension, and no crash. */
  wrong(app: App, id: string, text: string): void;
  failed(app: App, id: string, message: string): void;
  flush(app: App): Promise<void>;
}

export function createCrashNotes(stats: CallStats): CrashNotes {
  const waiting = new Map<string, Omit<LogRow, "id">[]>();
  const crashes = new Map<string, number[]>();
  let timer: NodeJS.Timeout | undefined;

  function note(app: App, id: string, line: Omit<LogRow, "id" | "at">): void {
    const lines = waiting.get(id) ?? [];
    // A flood keeps its last lines, and crashes as long as possible.
    if (lines.length >= kept.lines)
      lines.splice(
        Math.max(
          0,
          lines.findIndex(({ crash }) => crash === 0),
        ),
        1,
      );
    lines.push({ ...line, at: app.clock.iso() });
    waiting.set(id, lines);
    timer ??= setTimeout(() => void notes.flush(app), flushMs).unref();
  }

  function countCrash(app: App, id: string): void {
    const now = app.clock.now();
    const recent = [...(crashes.get(id) ?? []), now].filter((at) => at > now - crashWindowMs);
    crashes.set(id, recent);
    if (recent.length < maxCrashes || app.settings.get("environment") !== "production") return;
    crashes.delete(id);
    change(app, id, { quarantined: 1, error: `It crashed ${maxCrashes} times in 5 minutes.` }, "quarantined");
  }

  const notes: CrashNotes = {
    log: (app, id, { level, text, data }) =>
      note(app, id, { level, text: storable(text), data: storable(JSON.stringify(cutData(data))), crash: 0 }),
    crashed(app, id, { message, stack }, { about = "", requestId = "" } = {}) {
      app.log.error({ extension: id, about, requestId, stack }, `an extension crashed: ${message}`);
      const data = storable(JSON.stringify({ about, requestId, stack }));
      note(app, id, { level: "error", text: storable(message), data, crash: 1 });
      stats.crash(id);
      countCrash(app, id);
    },
    wrong: (app, id, text) =>
      note(app, id, { level: "error", text: storable(text.slice(0, 2_000)), data: "null", crash: 1 }),
    failed(app, id, message) {
      fail(app, id, message).catch((error) => app.log.error({ err: error, extension: id }, "a failure was not stored"));
    },
    async flush(app) {
      clearTimeout(timer);
      timer = undefined;
      const all = [...waiting];
      waiting.clear();
      for (const [id, lines] of all)
        await unclaimed(() => app.storage.write((tx) => insertLogLines(tx, id, lines, kept))).catch((error) =>
          app.log.warn({ err: error }, "lines of an extension could not be stored"),
        );
    },
  };
  return notes;
}

/** No engine stores zero bytes or half characters as they are. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** With the hash of the code, which other code is not blamed for. */
async function fail(app: App, id: string, message: string): Promise<void> {
  const extension = (await loadExtensions(app)).all.get(id);
  if (!extension) return;
  change(app, id, { error: failureText(message, await hashOfCode(extension)) }, "failed");
}

/** Extensions that could not be loaded are tried again when a server starts. */
export async function retryFailed(app: App): Promise<void> {
  const failed = (await listExtensionRows(app.storage)).filter((row) => row.quarantined === 0 && row.error !== null);
  for (const { id } of failed)
    await app.storage.write(async (tx) => {
      const row = await lockExtension(tx, id);
      if (row?.quarantined === 0) await putExtension(tx, { ...row, error: null, updated: app.clock.iso() });
    });
}

function change(
  app: App,
  id: string,
  values: { quarantined?: number; error: string },
  what: "failed" | "quarantined",
): void {
  const why = readFailure(values)?.text ?? "";
  unclaimed(() =>
    app.storage.write(async (tx) => {
      const row = (await lockExtension(tx, id)) ?? blankRow(id, { enabled: 1 });
      await putExtension(tx, { ...row, ...values, updated: app.clock.iso() });
      await app.reactions.run(tx, { type: `extension.${what}`, extension: id });
    }),
  )
    .then(() =>
      audit(contextFor(app, system), { type: `extension.${what}`, details: { extension: id, why: why.slice(0, 500) } }),
    )
    .catch((error) => app.log.error({ err: error, extension: id }, "the state of an extension could not be stored"));
}
