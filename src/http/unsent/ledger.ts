// Bytes of answers that clients have not taken yet, for each network and in all. Only answers that did not leave at once are in it.
// Beyond the bounds new requests are refused; an answer that nobody reads is ended, and so is one that goes far beyond a bound.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { findSessionCookie } from "#http/cookies.ts";
import type { NetworkOfRequest } from "./client-network.ts";
import { type KernelQueues, queueOf, readKernelQueues } from "./kernel-queues.ts";

const mebibyte = 1024 * 1024;
/** With and without a credential in the request. Each process of several has its share, but enough for an answer or two. */
const eachKnown = 64 * mebibyte;
const eachPublic = 32 * mebibyte;
const leastEach = 8 * mebibyte;
const mostOfAll = 1024 * mebibyte;
const shareOfMemory = 1 / 8;
/** Answers that were begun before a bound was reached may go this far beyond it. */
const overshoot = { each: 2, all: 1.25 };
/** What is refused is counted again first, but not for every request. */
const recountMs = 50;
const logEveryMs = 60_000;
/** Streams wait for their reader and hold little: it may take its time. */
const streamBytes = 256 * 1024;
const streamPatience = 6;
/** Where it cannot be seen what readers take from the kernel. */
const blindPatience = 4;

export interface Times {
  sweepMs: number;
  /** No byte of an answer was taken for so long. */
  unreadMs: number;
  /** In this time a reader takes at least so many bytes a second. */
  slowMs: number;
  leastRate: number;
}

const usualTimes: Times = { sweepMs: 5_000, unreadMs: 30_000, slowMs: 60_000, leastRate: 1_000 };

export interface UnsentBounds {
  known: number;
  open: number;
  all: number;
}

/** Of one of so many processes. */
export function unsentBounds(memory: number, processes: number): UnsentBounds {
  const all = Math.floor(Math.min(memory * shareOfMemory, mostOfAll) / processes);
  const share = (bytes: number) => Math.min(Math.max(bytes / processes, leastEach), all);
  return { known: share(eachKnown), open: share(eachPublic), all };
}

export interface LedgerParts {
  bounds: UnsentBounds;
  networkOf: NetworkOfRequest;
  log: Logger;
  times?: Times;
}

export interface Ledger {
  /** Bytes of this answer wait. `isJudged`: its reader is the client itself. */
  note(response: ServerResponse, isJudged: boolean): void;
  /** No more answers for its network at present. */
  refuses(request: IncomingMessage): boolean;
  /** Bytes in all, as they were counted last. */
  readonly bytes: number;
}

interface Holder {
  network: string;
  bytes: number;
  entries: Set<Entry>;
  countedAt: number;
}

interface Entry {
  response: ServerResponse;
  holder: Holder;
  bytes: number;
  isJudged: boolean;
  /** By the other end of its connection; undefined while other answers of the connection come first. */
  taken: number | undefined;
  idleMs: number;
  /** Since its pace was looked at, and what was taken by then. */
  pacedMs: number;
  pacedFrom: number;
}

export function createLedger({ bounds, networkOf, log, times = usualTimes }: LedgerParts): Ledger {
  const entries = new Map<ServerResponse, Entry>();
  const holders = new Map<string, Holder>();
  const lowest = Math.min(bounds.open, bounds.all);
  let sum = 0;
  let watch: NodeJS.Timeout | undefined;
  let sweptAt = 0;
  let countedAt = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let ended = 0;
  let isSweeping = false;

  function open(response: ServerResponse, isJudged: boolean): Entry {
    const network = networkOf(response.req);
    const holder = holders.get(network) ?? { network, bytes: 0, entries: new Set(), countedAt: 0 };
    const unseen = { taken: undefined, idleMs: 0, pacedMs: 0, pacedFrom: 0 };
    const entry: Entry = { response, holder, bytes: 0, isJudged, ...unseen };
    holders.set(network, holder);
    holder.entries.add(entry);
    entries.set(response, entry);
    // Most are taken within milliseconds.
    response.once("close", () => count(entry));
    if (!watch) sweptAt = performance.now();
    watch ??= setInterval(() => void sweep(), times.sweepMs).unref();
    return entry;
  }

  function count(entry: Entry): void {
    const { response, holder } = entry;
    // It was taken before, and its network may have a new holder by now.
    if (entries.get(response) !== entry) return;
    const bytes = waitingBytes(response);
    holder.bytes += bytes - entry.bytes;
    sum += bytes - entry.bytes;
    entry.bytes = bytes;
    if (bytes > 0) return;
    entries.delete(response);
    holder.entries.delete(entry);
    if (holder.entries.size === 0) holders.delete(holder.network);
  }

  function recount(holder: Holder): void {
    const now = performance.now();
    if (now - holder.countedAt < recountMs) return;
    holder.countedAt = now;
    for (const entry of holder.entries) count(entry);
  }

  function recountAll(): void {
    const now = performance.now();
    if (now - countedAt < recountMs) return;
    countedAt = now;
    for (const entry of entries.values()) count(entry);
  }

  function isFull(): boolean {
    if (sum >= bounds.all) recountAll();
    return sum >= bounds.all;
  }

  function isFullFor(holder: Holder, most: number): boolean {
    if (holder.bytes >= most) recount(holder);
    return holder.bytes >= most;
  }

  function end(entry: Entry): void {
    ended += 1;
    const { response, isJudged } = entry;
    const socket = response.socket ?? response.req.socket;
    // What the kernel still holds is let go as well.
    if (isJudged) socket.resetAndDestroy();
    else socket.destroy();
    count(entry);
  }

  /** At most once a minute, however many there are. */
  function tell(): void {
    const now = performance.now();
    if (ended === 0 || now - loggedAt < logEveryMs) return;
    loggedAt = now;
    log.warn({ answers: ended, unsentBytes: sum }, "answers that nobody read were cut off");
    ended = 0;
  }

  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    const queues = await readKernelQueues();
    isSweeping = false;
    const now = performance.now();
    // While the process itself stood still, nobody could read.
    const passed = Math.min(now - sweptAt, 2 * times.sweepMs);
    sweptAt = now;
    for (const entry of [...entries.values()]) {
      count(entry);
      if (entry.bytes > 0 && entry.isJudged && isUnread(entry, passed, queues)) end(entry);
    }
    tell();
    if (entries.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  }

  function isUnread(entry: Entry, passed: number, queues: KernelQueues | undefined): boolean {
    const before = entry.taken;
    const taken = takenOf(entry.response, queues);
    entry.taken = taken;
    if (taken === undefined) return false;
    if (before === undefined) {
      entry.pacedFrom = taken;
      return false;
    }
    entry.idleMs = taken > before ? 0 : entry.idleMs + passed;
    entry.pacedMs += passed;
    const patience = (entry.bytes <= streamBytes ? streamPatience : 1) * (queues ? 1 : blindPatience);
    if (entry.idleMs >= times.unreadMs * patience) return true;
    if (entry.pacedMs < times.slowMs * patience) return false;
    const isSlow = taken - entry.pacedFrom < (entry.pacedMs / 1_000) * times.leastRate;
    entry.pacedMs = 0;
    entry.pacedFrom = taken;
    return isSlow;
  }

  return {
    note(response, isJudged) {
      const entry = entries.get(response) ?? open(response, isJudged);
      const { holder } = entry;
      count(entry);
      const most = overshoot.each * boundOf(response.req, bounds);
      if (holder.bytes <= most && sum <= overshoot.all * bounds.all) return;
      // All answers of a connection that was ended a moment ago are gone.
      for (const each of holder.entries) count(each);
      if (holder.bytes > most || (sum > overshoot.all * bounds.all && isFull())) end(entry);
    },
    refuses(request) {
      if (sum < lowest) return false;
      if (isFull()) return true;
      const holder = holders.get(networkOf(request));
      return holder !== undefined && isFullFor(holder, boundOf(request, bounds));
    },
    get bytes() {
      return sum;
    },
  };
}

/** Whether it is a good one shows later: a bad one gets no large answer. */
function boundOf({ headers }: IncomingMessage, { known, open }: UnsentBounds): number {
  const { authorization, "x-api-key": key, cookie } = headers;
  return authorization !== undefined || key !== undefined || findSessionCookie(cookie) !== undefined ? known : open;
}

/** Answers of a connection that wait for others keep their bytes themselves. */
function waitingBytes(response: ServerResponse): number {
  return response.destroyed || response.req.socket.destroyed ? 0 : response.writableLength;
}

/** Node's own: what was handed to the kernel, and what of it the kernel did not take yet. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

/** The public numbers change only when a whole piece was taken, which may be large. */
function takenOf({ socket }: ServerResponse, queues: KernelQueues | undefined): number | undefined {
  const handle = (socket as (Socket & { _handle?: Handle | null }) | null)?._handle;
  if (!socket || !handle) return undefined;
  return handle.bytesWritten - handle.writeQueueSize - (queues ? queueOf(queues, socket) : 0);
}
