// Versions of cached data, over all processes. Each commit leaves a row in `touched` for each scope that it touched, and each
// process asks which rows became visible since it last asked (decision 017). While the database cannot be asked, every version
// moves with every call, so that nothing stale is cached.

import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import type { Logger } from "pino";
import type { VersionScope } from "#storage/port.ts";
import { createWatchers, type Watchers } from "#storage/watchers.ts";

const longestPauseMs = 2_000;
/** After this timeout callers proceed with caches disabled. */
const catchUpMs = 2_000;
/** While somebody watches, or has looked at a version. */
const askMs = 250;
/**
 * Rows of `touched` are kept for five minutes; what came and went meanwhile is not known. By the database's clock: that of a
 * machine stands still while it is suspended.
 */
const longestSilenceMs = 240_000;
/** A hint to other processes that asking is worth it: at most 20 a second. */
const hintMs = 50;
/** The server refuses payloads of 8,000 bytes. */
const maxPayload = 7_000;
/** Instead of scopes that do not fit: everything. */
const everything = "*";
/** Hints begin with it. Servers of the version before sent notices with each commit, and listen to these. */
const hintMark = "hint:";

export const channel = "cairn";

const clock = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8";
/** The present snapshot, when it was taken, and the scopes of rows that it shows and the last one did not, but for those of the process itself. */
const ask = `SELECT pg_current_snapshot()::text AS seen, ${clock} AS at, ARRAY(
    SELECT DISTINCT scope FROM touched WHERE tx >= pg_snapshot_xmin($1::pg_snapshot)
      AND NOT pg_visible_in_snapshot(tx, $1::pg_snapshot) AND sender <> $2) AS scopes`;
const look = `SELECT pg_current_snapshot()::text AS seen, ${clock} AS at`;

interface Seen {
  /** A snapshot. */
  seen: string;
  /** Milliseconds. */
  at: number;
}

export const touch = "INSERT INTO touched (sender, scope) SELECT $1, unnest($2::text[])";

export interface Notices {
  version(scope: VersionScope): number;
  watch: Watchers["add"];
  /** The name of this process in `touched`. */
  readonly sender: string;
  /**
   * This process sends a commit. Others may see its writes before it is answered: until the outcome
   * is known, nothing of the scopes is cached.
   */
  committing(scopes: ReadonlySet<VersionScope>): void;
  /** The commit was answered: its own rows are not waited for. */
  committed(scopes: ReadonlySet<VersionScope>): void;
  /** It was answered by a rollback. */
  rolledBack(scopes: ReadonlySet<VersionScope>): void;
  /** It was not: its rows show whether, and when, it succeeded, as those of another process would. */
  unanswered(scopes: ReadonlySet<VersionScope>): void;
  /** Resolves when the versions reflect all earlier commits. */
  catchUp(): Promise<void>;
  /** A connection was lost: perhaps all are, or the next one leads to another server. */
  suspect(): void;
  close(): Promise<void>;
}

export async function openNotices(
  { openSocket, ...config }: ClientConfig & { openSocket(): Socket },
  log: Logger,
): Promise<Notices> {
  let self = randomUUID();
  const touched = new Map<VersionScope, number>();
  const sockets = new WeakMap<Client, Socket>();
  /** Commits that were sent and are not answered yet. */
  const underWay = new Map<VersionScope, number>();
  const watchers = createWatchers();
  let epoch = 0;
  let isClosed = false;
  /** A version was looked at since the last question. */
  let isLookedAt = false;
  let last: Seen = { seen: "", at: 0 };
  /** By the clock of this process. */
  let askedAt = 0;
  let client: Client | undefined = await connect();
  const timer = setInterval(tick, askMs).unref();

  async function connect(): Promise<Client> {
    // Hints need not be on disk, and none waits for the answer to the one before.
    const options = `${config.options ?? ""} -c synchronous_commit=off`;
    const socket = openSocket();
    const made = new Client({ ...config, options, pipeline: true, stream: () => socket });
    sockets.set(made, socket);
    // Without a listener an error event would end the process; "end" follows each.
    made.on("error", () => {});
    made.on("notification", ({ payload = "" }) => receive(payload));
    await made.connect();
    try {
      await made.query(`LISTEN ${channel}`);
      const { rows } = await made.query<Seen>(look);
      last = rows[0] ?? last;
      askedAt = performance.now();
    } catch (error) {
      await made.end();
      throw error;
    }
    made.once("end", () => {
      if (client !== made) return;
      client = undefined;
      epoch += 1;
      if (!isClosed) void connectAgain();
    });
    return made;
  }

  async function connectAgain(): Promise<void> {
    log.warn("lost the connection that asks for changes of other processes");
    for (let pause = 50; !isClosed; pause = Math.min(pause * 2, longestPauseMs)) {
      await sleep(pause, undefined, { ref: false });
      try {
        const made = await connect();
        if (isClosed) return void (await made.end());
        client = made;
        moveAll();
        log.info("asking for changes again");
        return;
      } catch {
        // The next attempt follows.
      }
    }
  }

  function receive(payload: string): void {
    const [sender = "", ...scopes] = payload.split(" ");
    if (sender.startsWith(hintMark)) {
      if (watchers.size > 0 && sender !== hintMark + self) void catchUp();
    } else if (scopes[0] === everything) moveAll();
    else for (const scope of scopes) move(scope as VersionScope);
  }

  function tick(): void {
    if (!client || (watchers.size === 0 && !isLookedAt)) return;
    if (performance.now() - askedAt > askMs / 2) void catchUp();
  }

  async function askOnce(): Promise<void> {
    const own = client;
    if (!own) return;
    const sender = self;
    isLookedAt = false;
    // To end the client would wait for the answer.
    const limit = setTimeout(() => sockets.get(own)?.destroy(), catchUpMs);
    try {
      const asked = { name: "cairn_ask", text: ask, values: [last.seen, sender] };
      const { rows } = await own.query<Seen & { scopes: VersionScope[] }>(asked);
      const [answer] = rows;
      // Else the question was about a former connection's snapshot.
      if (!answer || client !== own) return;
      // A clock that was set back says nothing.
      const silence = answer.at - last.at;
      const isTooLong = silence > longestSilenceMs || silence < 0;
      // A commit without an answer may have been passed over as one of our own.
      if (isTooLong || sender !== self) moveAll();
      else for (const scope of answer.scopes) move(scope);
      last = answer;
      askedAt = performance.now();
    } catch {
      epoch += 1;
    } finally {
      clearTimeout(limit);
    }
  }

  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /** One query at a time; callers that arrive meanwhile share the next. */
  function catchUp(): Promise<void> {
    if (running !== undefined) {
      next ??= running.then(() => {
        next = undefined;
        return catchUp();
      });
      return next;
    }
    running = askOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** What this process has committed since the last hint. */
  const hinted = new Set<VersionScope>();
  let hinting: NodeJS.Timeout | undefined;
  let lastHint = 0;

  /** Outside of transactions: a notice inside would hold up every other commit with one. */
  function hint(scopes: ReadonlySet<VersionScope>): void {
    for (const scope of scopes) hinted.add(scope);
    if (hinted.size === 0 || hinting !== undefined) return;
    const wait = Math.max(0, lastHint + hintMs - performance.now());
    hinting = setTimeout(sendHint, wait).unref();
  }

  function sendHint(): void {
    hinting = undefined;
    lastHint = performance.now();
    const text = [hintMark + self, ...hinted].join(" ");
    const payload = text.length > maxPayload ? `${hintMark}${self} ${everything}` : text;
    hinted.clear();
    client?.query({ name: "cairn_hint", text: "SELECT pg_notify($1, $2)", values: [channel, payload] }).catch(() => {});
  }

  function move(scope: VersionScope): void {
    outdate(scope);
    watchers.notify(scope);
  }

  function moveAll(): void {
    epoch += 1;
    watchers.notifyAll();
  }

  function outdate(scope: VersionScope): void {
    touched.set(scope, (touched.get(scope) ?? 0) + 1);
  }

  function answered(scopes: ReadonlySet<VersionScope>): void {
    for (const scope of scopes) {
      const others = (underWay.get(scope) ?? 1) - 1;
      if (others > 0) underWay.set(scope, others);
      else underWay.delete(scope);
    }
  }

  function committed(scopes: ReadonlySet<VersionScope>): void {
    answered(scopes);
    for (const scope of scopes) move(scope);
    hint(scopes);
  }

  return {
    watch: watchers.add,
    version(scope) {
      isLookedAt = true;
      if (!client) epoch += 1;
      if (underWay.size > 0 && underWay.has(scope)) outdate(scope);
      return epoch + (touched.get(scope) ?? 0);
    },
    get sender() {
      return self;
    },
    committing(scopes) {
      for (const scope of scopes) underWay.set(scope, (underWay.get(scope) ?? 0) + 1);
    },
    committed,
    rolledBack: answered,
    unanswered(scopes) {
      // Rows under the present name count as foreign from now on.
      self = randomUUID();
      committed(scopes);
    },
    catchUp,
    suspect() {
      epoch += 1;
      void catchUp();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(hinting);
      await client?.end();
    },
  };
}
