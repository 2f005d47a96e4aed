// Versions of what is cached, over all processes: each commit tells the others which scopes it touched.
// While nobody listens, notices may be lost: then every version moves with every call, so that nothing stale is kept.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import type { Logger } from "pino";
import type { VersionScope } from "#storage/port.ts";
import { createWatchers, type Watchers } from "#storage/watchers.ts";

const longestPauseMs = 2_000;
/** The server refuses payloads of 8,000 bytes. */
const maxPayload = 7_000;
/** Who waits to have heard everything goes on after that, without what is kept. */
const catchUpMs = 2_000;
/** In place of scopes that do not fit: everything. */
const everything = "*";

export interface Notices {
  version(scope: VersionScope): number;
  watch: Watchers["add"];
  /** For pg_notify, inside the transaction that touches the scopes. */
  payload(scopes: ReadonlySet<VersionScope>): string;
  /**
   * This process sends a commit. Others may see what it has written before the answer is here: until it is told how the
   * commit ended, nothing of the scopes is kept.
   */
  committing(scopes: ReadonlySet<VersionScope>): void;
  /** It was answered; its own notice is not waited for. */
  committed(scopes: ReadonlySet<VersionScope>): void;
  /** It was not: whether, and when, it takes hold is told by its notice, as by that of another process. */
  unanswered(scopes: ReadonlySet<VersionScope>): void;
  /** Resolves when the notices of all that was committed before the call have come. */
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
        watchers.tellAll();
        log.info("listening for changes again");
        return;
      } catch {
        // The next try follows.
      }
    }
  }

  function receive(payload: string): void {
    const [sender, ...scopes] = payload.split(" ");
    if (sender === self) return;
    if (scopes[0] === everything) {
      epoch += 1;
      watchers.tellAll();
    } else for (const scope of scopes) move(scope as VersionScope);
  }

  /** The server sends a connection its notices before the end of an answer: whatever was committed is heard by then. */
  async function hearAll(): Promise<void> {
    const client = listener;
    if (!client) return;
    // Ending a client that is waited for cuts its connection.
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
  /** One question at a time; who comes while it is on its way shares the next. */
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
    watchers.tell(scope);
  }

  function outdate(scope: VersionScope): void {
    touched.set(scope, (touched.get(scope) ?? 0) + 1);
  }

  function committed(scopes: ReadonlySet<VersionScope>): void {
    for (const scope of scopes) {
      const others = (underWay.get(scope) ?? 1) - 1;
      if (others > 0) underWay.set(scope, others);
      else underWay.delete(scope);
      move(scope);
    }
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
    unanswered(scopes) {
      // Notices under the name so far are news from now on.
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
