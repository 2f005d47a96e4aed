// Clients that write under fire and remember what they sent and what was answered.
// A value carries its own proof: every property of an object is derived from one number, so a half-written object shows.

import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../harness.ts";

export const schema = {
  id: "ledger",
  properties: {
    id: { type: "string" },
    title: { type: "string" },
    number: { type: "number" },
    check: { type: "number" },
    filler: { type: "string" },
  },
  required: ["id", "title"],
  index: ["id", "title", "number"],
};

/** The properties of version n of an object. */
export function versionOf(n: number): { title: string; number: number; check: number; filler: string } {
  return { title: `marker v${n}`, number: n, check: n * 7, filler: `${n} `.repeat(50 + (n % 200)).trim() };
}

export interface Sent {
  collection: string;
  id: string;
  /** The version last answered; undefined: the object is known not to exist. */
  acked: number | undefined;
  /** What an unanswered request would have made of it. */
  pending?: { becomes: number | undefined };
}

export interface Journal {
  objects: Map<string, Sent>;
  acked: number;
  /** Answers that no healthy server gives. */
  surprises: string[];
  isStopped: boolean;
  next: number;
}

export function openJournal(): Journal {
  return { objects: new Map(), acked: 0, surprises: [], isStopped: false, next: 1 };
}

/** Creates, replaces, patches and deletes objects of its own until it is stopped or the server is gone. */
export async function writeUntilStopped(server: Server, journal: Journal, collections: string[]): Promise<void> {
  const own: Sent[] = [];
  while (!journal.isStopped) {
    const n = journal.next++;
    const existing = own[Math.floor(Math.random() * own.length)];
    const dice = Math.random();
    const kind = !existing || dice < 0.45 ? "create" : dice < 0.7 ? "patch" : dice < 0.85 ? "replace" : "delete";
    const sent: Sent = kind === "create" ? newEntry(n, collections) : (existing as Sent);
    journal.objects.set(`${sent.collection}/${sent.id}`, sent);
    sent.pending = { becomes: kind === "delete" ? undefined : n };
    const answer = await ask(server, kind, sent, n);
    if (answer === undefined) {
      // Not answered: this client may not touch the object again before it has been looked at.
      remove(own, sent);
      await sleep(5);
      continue;
    }
    const expected = { create: 201, replace: 200, patch: 200, delete: 204 }[kind];
    if (answer.status !== expected) {
      if (answer.status < 500) journal.surprises.push(`${kind} ${sent.id} answered ${answer.status}: ${answer.text}`);
      remove(own, sent);
      await sleep(5);
      continue;
    }
    sent.acked = sent.pending.becomes;
    delete sent.pending;
    journal.acked += 1;
    if (kind === "create") own.push(sent);
    if (kind === "delete") remove(own, sent);
  }
}

function newEntry(n: number, collections: string[]): Sent {
  return { collection: collections[n % collections.length] as string, id: `w-${n}`, acked: undefined };
}

function ask(server: Server, kind: "create" | "patch" | "replace" | "delete", { collection, id }: Sent, n: number) {
  const path = `/api/collections/${collection}`;
  const asked =
    kind === "create"
      ? server.request("POST", path, { body: { id, ...versionOf(n) } })
      : kind === "delete"
        ? server.request("DELETE", `${path}/${id}`)
        : server.request(kind === "patch" ? "PATCH" : "PUT", `${path}/${id}`, { body: versionOf(n) });
  return asked.catch(() => undefined);
}

function remove(list: Sent[], entry: Sent): void {
  const at = list.indexOf(entry);
  if (at >= 0) list.splice(at, 1);
}

export interface Stored {
  id: string;
  number: number;
  title: string;
  check: number;
  filler: string;
}

/** Every object of a collection, through the list. */
export async function readAll(server: Server, collection: string): Promise<Stored[]> {
  const found: Stored[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await server.request(
      "GET",
      `/api/collections/${collection}?limit=100&sort=id&order=asc&offset=${offset}`,
    );
    if (page.status !== 200) throw new Error(`the list answered ${page.status}: ${page.text}`);
    found.push(...page.body.data);
    if (page.body.data.length < 100) return found;
  }
}

/** What differs between the journal and the server; afterwards the journal holds what is there. */
export async function compare(server: Server, journal: Journal, collections: string[]): Promise<string[]> {
  const problems = journal.surprises.splice(0);
  for (const collection of collections) {
    const stored = new Map((await readAll(server, collection)).map((object) => [object.id, object]));
    for (const object of stored.values()) {
      const whole = versionOf(object.number);
      if (object.title !== whole.title || object.check !== whole.check || object.filler !== whole.filler)
        problems.push(`${collection}/${object.id} is a mix: ${JSON.stringify(object).slice(0, 200)}`);
    }
    for (const sent of journal.objects.values()) {
      if (sent.collection !== collection) continue;
      const found = stored.get(sent.id)?.number;
      stored.delete(sent.id);
      const isAllowed = found === sent.acked || (sent.pending !== undefined && found === sent.pending.becomes);
      if (!isAllowed)
        problems.push(
          `${collection}/${sent.id} is ${found}, but ${sent.acked} was answered (pending: ${JSON.stringify(sent.pending)})`,
        );
      sent.acked = found;
      delete sent.pending;
    }
    for (const id of stored.keys()) problems.push(`${collection}/${id} was never sent`);
  }
  return problems;
}
