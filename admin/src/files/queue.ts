// The upload queue: which file is sent when, in which pieces, and what happens when the line breaks. It knows neither React nor
// the network: `uploads.ts` gives it both. A file that cannot be sent never stops the others.

import type { JsonObject } from "@contract/json.ts";
import { ApiError } from "#api/api-error.ts";
import { chunkSize, createUnfinished, type KeepingPlace, type UnfinishedUpload } from "./unfinished.ts";
import { isSameTarget, type UploadTarget } from "./upload-target.ts";

/** What the server answered: the stored object, or the link of an editor's file. */
export interface StoredUpload {
  data: JsonObject;
  etag: string;
}

/** The value of a property that was changed in the form, with what the server stored in it. */
export type Merge<T = unknown> = (values: { mine: T; before: T; stored: T }) => T;

export interface UploadRequest {
  /** A file, or the address that the server is to fetch it from. */
  source: File | string;
  target: UploadTarget;
  /** The object or deck item is not stored yet. Implied where the target has no object. */
  isWaiting?: boolean;
  /** Of the property, to tell where the file goes. */
  label: string;
  /** What is wrong with the file, in words, before anything is sent. */
  check?: ((file: File) => Promise<string | undefined> | string | undefined) | undefined;
  /** For a property that has unsaved changes when the answer comes. */
  merge?: Merge | undefined;
  onStored?: (stored: StoredUpload) => void;
}

/**
 * waiting: for the Save that makes its object. queued: for its turn. offline: for the network.
 * failed: the line broke too often, Retry goes on. refused: by a rule or the server.
 */
export type UploadState =
  | "waiting"
  | "queued"
  | "sending"
  | "paused"
  | "offline"
  | "failed"
  | "refused"
  | "done"
  | "cancelled";

export interface Upload {
  readonly id: string;
  readonly name: string;
  /** In bytes; 0 where the server fetches the file. */
  readonly size: number;
  readonly sent: number;
  /** Bytes a second; 0 until known. */
  readonly speed: number;
  readonly state: UploadState;
  /** In words; empty where the server could not be reached. */
  readonly problem: string;
  /** Some of it was sent before the page was loaded again. */
  readonly isResumed: boolean;
  readonly request: UploadRequest;
}

/** One form to send: a whole file or a piece of it. */
export interface Piece {
  target: UploadTarget & { object: string };
  name: string;
  source: Blob | string;
  chunk?: { upload: string; index: number; total: number; size: number };
}

export interface QueueParts {
  /** Throws ApiError; an aborted one throws anything. */
  send: (piece: Piece, options: { onProgress: (sent: number) => void; signal: AbortSignal }) => Promise<StoredUpload>;
  /** After a lost answer: what the server has stored, if it has stored the file within the last `ms` milliseconds. */
  find: (piece: Piece, ms: number) => Promise<StoredUpload | undefined>;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  isOnline: () => boolean;
  now: () => number;
  newId: () => string;
  /** Where unfinished uploads are kept on the device, and whose they are. */
  storage: KeepingPlace | undefined;
  user: () => string;
}

export interface StoredEvent {
  request: UploadRequest;
  target: UploadTarget & { object: string };
  stored: StoredUpload;
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

const atOnce = 3;
/** Before the second and the third try. */
const waits = [1_000, 4_000];
const maxWait = 60_000;
/** How often the server may say that chunks are missing. */
const rounds = 3;

export function createUploadQueue(parts: QueueParts) {
  const { now, isOnline } = parts;
  let uploads: readonly Upload[] = [];
  const listeners = new Set<() => void>();
  const storedListeners = new Set<(event: StoredEvent) => void>();
  const running = new Map<string, AbortController>();
  /** Not to be checked again. */
  const checked = new Set<string>();
  const unfinished = createUnfinished(parts);

  function set(next: readonly Upload[]): void {
    uploads = next;
    for (const listener of listeners) listener();
  }
  function change(id: string, next: Partial<Upload>): void {
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));
  }
  const find = (id: string) => uploads.find((upload) => upload.id === id);

  function start(): void {
    for (const upload of uploads) {
      if (running.size >= atOnce) return;
      if (upload.state !== "queued" || running.has(upload.id)) continue;
      const place = placeOf(upload.request.target);
      const isBusy = uploads.some((other) => running.has(other.id) && placeOf(other.request.target) === place);
      if (!isBusy) void run(upload);
    }
  }

  async function run({ id, request }: Upload): Promise<void> {
    const control = new AbortController();
    running.set(id, control);
    change(id, { state: "sending", problem: "", speed: 0 });
    try {
      const stored = await sendAll(id, control.signal);
      if (find(id)) change(id, { state: "done", sent: find(id)?.size ?? 0, speed: 0 });
      request.onStored?.(stored);
      const target = request.target as StoredEvent["target"];
      for (const listener of storedListeners) listener({ request, target, stored });
    } catch (error) {
      // Paused or cancelled: the state says so already.
      if (!control.signal.aborted) change(id, failureOf(error, isOnline()));
    } finally {
      running.delete(id);
      start();
    }
  }

  async function sendAll(id: string, signal: AbortSignal): Promise<StoredUpload> {
    const { request, name } = find(id) as Upload;
    const target = request.target as Piece["target"];
    const { source } = request;
    if (typeof source !== "string" && !checked.has(id)) {
      const problem = await request.check?.(source);
      signal.throwIfAborted();
      if (problem !== undefined) throw new Refused(problem);
      checked.add(id);
    }
    if (typeof source === "string" || source.size < chunkSize)
      return trySend({ target, name, source }, { signal, isLast: true, onProgress: (sent) => progress(id, sent) });
    const kept = unfinished.open(target, source);
    if (kept.done.size > 0) change(id, { isResumed: true });
    try {
      const stored = await sendChunks(id, { kept, source, target }, signal);
      unfinished.forget(kept.upload);
      return stored;
    } catch (error) {
      if (isRefusal(error)) unfinished.forget(kept.upload);
      throw error;
    }
  }

  async function sendChunks(
    id: string,
    { kept, source, target }: { kept: UnfinishedUpload; source: File; target: Piece["target"] },
    signal: AbortSignal,
  ): Promise<StoredUpload> {
    const { upload, total, done } = kept;
    const sizeOf = (index: number) => Math.min(chunkSize, source.size - index * chunkSize);
    const sentSoFar = () => [...done].reduce((sum, index) => sum + sizeOf(index), 0);
    const all = Array.from({ length: total }, (_, index) => index);
    progress(id, sentSoFar());
    for (let round = 1; ; round++) {
      // The last one is sent in any case: its answer says what the server lacks.
      for (const index of all.filter((at) => !done.has(at) || at === total - 1)) {
        done.delete(index);
        const before = sentSoFar();
        const bytes = source.slice(index * chunkSize, index * chunkSize + sizeOf(index));
        const piece = { target, name: source.name, source: bytes, chunk: { upload, index, total, size: source.size } };
        try {
          const answer = await trySend(piece, {
            signal,
            isLast: done.size === total - 1,
            onProgress: (sent) => progress(id, before + Math.min(sent, bytes.size)),
          });
          if (!("status" in answer.data)) return answer;
          done.add(index);
          unfinished.keep(kept);
        } catch (error) {
          const missing = missingChunks(error);
          if (!missing || round === rounds) throw error;
          done.add(total - 1);
          if (missing === "many") done.clear();
          else for (const one of missing) done.delete(one);
          unfinished.keep(kept);
        }
      }
      if (round === rounds) throw new ApiError({ status: 0, message: "Chunks are lost again and again." });
    }
  }

  /** Three tries, with waits between them. While the device is offline it is not tried. */
  async function trySend(
    piece: Piece,
    options: { signal: AbortSignal; isLast: boolean; onProgress: (sent: number) => void },
  ): Promise<StoredUpload> {
    const { signal, isLast, onProgress } = options;
    const began = now();
    for (let tries = 0; ; tries++) {
      try {
        return await parts.send(piece, { onProgress, signal });
      } catch (error) {
        signal.throwIfAborted();
        const wait = waits[tries];
        if (!isPassing(error) || !isOnline() || wait === undefined) throw error;
        const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
        await parts.sleep(Math.min(maxWait, Math.max(wait, asked)), signal);
        const stored =
          isLast && isLost(error) ? await parts.find(piece, now() - began).catch(() => undefined) : undefined;
        if (stored) return stored;
      }
    }
  }

  const marks = new Map<string, { at: number; sent: number }>();

  /** Speed over the last second or so. */
  function progress(id: string, bytes: number): void {
    const upload = find(id);
    if (upload?.state !== "sending") return;
    const sent = Math.min(bytes, upload.size);
    const mark = marks.get(id);
    if (!mark || sent < mark.sent) marks.set(id, { at: now(), sent });
    const passed = mark ? now() - mark.at : 0;
    if (mark && passed >= 1_000) {
      const speed = ((sent - mark.sent) / passed) * 1_000;
      marks.set(id, { at: now(), sent });
      change(id, { sent, speed: upload.speed === 0 ? speed : (upload.speed + speed) / 2 });
    } else change(id, { sent });
  }

  function stop(id: string, state: "paused" | "cancelled"): void {
    change(id, { state, speed: 0 });
    running.get(id)?.abort();
  }

  function forget(id: string): void {
    checked.delete(id);
    marks.delete(id);
  }

  return {
    all: () => uploads,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** After every file that the server has stored. */
    onStored(listener: (event: StoredEvent) => void): () => void {
      storedListeners.add(listener);
      return () => storedListeners.delete(listener);
    },
    add(request: UploadRequest): string {
      const { source, target } = request;
      const isWaiting = request.isWaiting === true || target.object === undefined;
      const upload: Upload = {
        id: parts.newId(),
        name: typeof source === "string" ? nameOf(source) : source.name,
        size: typeof source === "string" ? 0 : source.size,
        sent: 0,
        speed: 0,
        state: isWaiting ? "waiting" : "queued",
        problem: "",
        isResumed: false,
        request,
      };
      set([...uploads, upload]);
      if (isWaiting) void checkWaiting(upload);
      start();
      return upload.id;
    },
    pause(id: string): void {
      const state = find(id)?.state;
      if (state === "sending" || state === "queued" || state === "offline") stop(id, "paused");
    },
    /** After a pause, a failure, or a refusal that may have had a cause elsewhere. */
    retry(id: string): void {
      const upload = find(id);
      if (!upload || !["paused", "failed", "refused", "offline"].includes(upload.state)) return;
      const isWaiting = upload.request.isWaiting === true || upload.request.target.object === undefined;
      change(id, { state: isWaiting ? "waiting" : "queued", problem: "" });
      if (isWaiting) void checkWaiting(upload);
      start();
    },
    cancel(id: string): void {
      const upload = find(id);
      if (!upload) return;
      const { source, target } = upload.request;
      if (upload.state !== "done") stop(id, "cancelled");
      if (typeof source !== "string" && upload.state !== "done") unfinished.drop(target, source);
      forget(id);
      set(uploads.filter((other) => other.id !== id));
      start();
    },
    /** Removes what is done from the list. */
    clear(): void {
      for (const { id, state } of uploads) if (state === "done") forget(id);
      set(uploads.filter(({ state }) => state !== "done"));
    },
    /** The object of the form is stored: what waited for it is sent. `isStored` answers for the places of deck items. */
    release(form: string, object: string, isStored: (path: string) => boolean): void {
      set(
        uploads.map((upload) => {
          const { request } = upload;
          const isMeant = request.target.form === form && !["done", "cancelled"].includes(upload.state);
          if (!isMeant || (request.target.object !== undefined && request.isWaiting !== true)) return upload;
          const isWaiting = !isStored(request.target.path);
          const next = { ...request, isWaiting, target: { ...request.target, object } };
          return {
            ...upload,
            request: next,
            state: upload.state === "waiting" && !isWaiting ? "queued" : upload.state,
          };
        }),
      );
      start();
    },
    /** The form is left: what waited for it has no place to go. */
    drop(form: string): void {
      set(uploads.filter(({ state, request }) => state !== "waiting" || request.target.form !== form));
    },
    /** Names of files whose sending was cut off by a reload, with the share that is there. */
    interrupted(target: UploadTarget): { name: string; share: number }[] {
      return unfinished.listFor(target).filter(({ name }) => {
        return !uploads.some((upload) => upload.name === name && isSameTarget(upload.request.target, target));
      });
    },
    /** The device is connected again. */
    resume(): void {
      set(
        uploads.map((upload) => {
          const isCutOff = upload.state === "offline" || (upload.state === "failed" && upload.problem === "");
          return isCutOff ? { ...upload, state: "queued" } : upload;
        }),
      );
      start();
    },
  };

  /** What is wrong with a file is said when it is chosen, not after the Save. */
  async function checkWaiting({ id, request }: Upload): Promise<void> {
    const { source, check } = request;
    if (typeof source === "string" || !check || checked.has(id)) return;
    const problem = await Promise.resolve(check(source)).catch(() => undefined);
    if (find(id)?.state !== "waiting") return;
    if (problem === undefined) checked.add(id);
    else change(id, { state: "refused", problem });
  }
}

/** A rule that the file breaks, found before sending. */
class Refused extends Error {}

export function isActive({ state }: Pick<Upload, "state">): boolean {
  return state === "queued" || state === "sending" || state === "offline" || state === "waiting";
}

function placeOf({ collection, object }: UploadTarget): string {
  return `${collection}/${object}`;
}

function failureOf(error: unknown, isOnline: boolean): Partial<Upload> {
  const speed = 0;
  if (error instanceof Refused) return { state: "refused", problem: error.message, speed };
  if (error instanceof ApiError && error.isUnreachable) return { state: isOnline ? "failed" : "offline", speed };
  if (isPassing(error)) return { state: "failed", problem: (error as ApiError).message, speed };
  return { state: "refused", problem: error instanceof Error ? error.message : String(error), speed };
}

/** No answer came: the server may have stored the file or not. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && [0, 408, 502, 504].includes(error.status);
}

/** Worth another try. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (isLost(error) || error.status === 429 || error.status >= 500);
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && !isPassing(error);
}

/** Of the refusal that names them; "many" where it does not name all. */
function missingChunks(error: unknown): number[] | "many" | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const named = /^Chunks are missing: ([\d, ]+)( and \d+ more)?\.$/.exec(error.message);
  if (!named) return undefined;
  return named[2] ? "many" : (named[1] as string).split(",").map(Number);
}

/** The last part of an address. */
function nameOf(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  return decodeURIComponentSafely(path.split("/").findLast((part) => part !== "") ?? address);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
