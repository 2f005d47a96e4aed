// Versions of cached data, over all processes: each commit notifies the others of the scopes it touched.
// While the listening connection is down, notices may be lost: then every version moves with every call, so that nothing stale is cached.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import type { Logger } from "pino";
import type { VersionScope } from "#storage/port.ts";
import { createWatchers, type Watchers } from "#storage/watchers.ts";

const longestPauseMs = 2_000;
/** The server refuses payloads of 8,000 bytes. */
const maxPayload = 7_000;
/** After this timeout callers proceed with caches disabled. */
const catchUpMs = 2_000;
/** Instead of scopes that do not fit: everything. */
const everything = "*";

export interface Notices {
  version(scope: VersionScope): number;
  watch: Watchers["add"];
  /** For pg_notify, inside the transaction that touches the scopes. */
  payload(scopes: ReadonlySet<VersionScope>): string;
  /**
   * This process sends a commit. Others may see its writes before it is answered: until the outcome
   * is known, nothing of the scopes is cached.
   */
  committing(scopes: ReadonlySet<VersionScope>): void;
  /** The commit was answered; its own notice is not waited for. */
  committed(scopes: ReadonlySet<VersionScope>): void;
  /** It was answered by a rollback. */
  rolledBack(scopes: ReadonlySet<VersionScope>): void;
  /** It was not: its notice shows whether, and when, it succeeded, as that of another process would. */
  unanswered(scopes: ReadonlySet<VersionScope>): void;
  /** Resolves when the notices of all earlier commits have arrived. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export const channel = "cairn";

export async function openNotices(config: ClientConfig, log: Logger): Promise<Notices> {
  let self = randomUUID();
  const touched = new Map<VersionScope, number>();
  /** Commits that were sent and are not answered yet. */
  const underWay = new Map<VersionScope, number>();
  const watchers = createWatchers();
  let epoch = 0;
  let isClosed = false;
  let listener: Client | undefined = await listen();

  async function listen(): Promise<Client> {
    const client = new Client(config);
    // Without a listener an error event would end the process; "end" follows each.
    client.on("error", () => {});
    client.on("notification", ({ payload = "" }) => receive(payload));
    await client.connect();
    try {
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      await client.end();
      throw error;
    }
    client.once("end", () => {
      listener = undefined;
      epoch += 1;
      if (!isClosed) void listenAgain();
    });
    return client;
  }

  async function listenAgain(): Promise<void> {
    log.warn("lost the connection that listens for changes of other processes");
    for (let pause = 50; !isClosed; pause = Math.min(pause * 2, longestPauseMs)) {
      await sleep(pause, undefined, { ref: false });
      try {
        const client = await listen();
        if (isClosed) return void (await client.end());
        listener = client;
        epoch += 1;
        watchers.notifyAll();
        log.info("listening for changes again");
        return;
      } catch {
        // The next attempt follows.
      }
    }
  }

  function receive(payload: string): void {
    const [sender, ...scopes] = payload.split(" ");
    if (sender === self) return;
    if (scopes[0] === everything) {
      epoch += 1;
      watchers.notifyAll();
    } else for (const scope of scopes) move(scope as VersionScope);
  }

  /** The server sends notices before the end of an answer: those of all earlier commits have arrived by then. */
  async function hearAll(): Promise<void> {
    const client = listener;
    if (!client) return;
    // Ending a client with pending queries cuts its connection.
    const timer = setTimeout(() => void client.end().catch(() => {}), catchUpMs);
    try {
      await client.query("SELECT 1");
    } catch {
      epoch += 1;
    } finally {
      clearTimeout(timer);
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
    running = hearAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  function move(scope: VersionScope): void {
    outdate(scope);
    watchers.notify(scope);
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
  }

  return {
    watch: watchers.add,
    version(scope) {
      if (!listener) epoch += 1;
      if (underWay.size > 0 && underWay.has(scope)) outdate(scope);
      return epoch + (touched.get(scope) ?? 0);
    },
    payload(scopes) {
      const text = [self, ...scopes].join(" ");
      return text.length > maxPayload ? `${self} ${everything}` : text;
    },
    committing(scopes) {
      for (const scope of scopes) underWay.set(scope, (underWay.get(scope) ?? 0) + 1);
    },
    committed,
    rolledBack: answered,
    unanswered(scopes) {
      // Notices under the present name count as foreign from now on.
      self = randomUUID();
      committed(scopes);
    },
    catchUp,
    async close() {
      isClosed = true;
      await listener?.end();
    },
  };
}
