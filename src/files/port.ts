// The port to the bytes of files. Two stores stand behind it: local disk and S3; both pass files.contract.ts.
// A key is `{collection}/{id}/{property}/[{path}/]{filename}`, already checked: no empty segment, no dot segment.
// A file appears under its key only when it is whole, and a reader of the old one reads it to its end.

import type { Readable, Writable } from "node:stream";

export interface StoredFile {
  size: number;
  /** When it was stored under its key, in milliseconds since 1970. */
  modified: number;
  /** Moves with every publish; fit for a strong ETag. */
  tag: string;
}

/** Bytes that arrived but are not published: on local disk, whatever the store. */
export interface StagedFile {
  /** A path on this machine, for checks and conversion. */
  path: string;
  size: number;
  /** SHA-256 in hex. */
  digest: string;
}

export interface ByteRange {
  /** Both inclusive. */
  start: number;
  end: number;
}

/**
 * One state of a file: what it streams fits its size and tag. A store that does not hold on to it throws not-found when it is
 * replaced or moved before its bytes are asked for: then it is opened again.
 */
export interface OpenFile extends StoredFile {
  /** Once; the stream closes the file at its end. The range is within the file. */
  stream(range?: ByteRange): Promise<Readable>;
  /** Instead of stream, for small parts: all at once, into the memory that is given where the store can use it. */
  read(range?: ByteRange, room?: Buffer): Promise<Buffer>;
  /** Instead of stream, where the bytes are at hand: resolves when the receiver has all of them. It is not ended. */
  send?(to: Writable, range?: ByteRange): Promise<void>;
  /** For a file that is neither streamed nor read after all; no harm otherwise. */
  close(): Promise<void>;
}

export interface FileStore {
  find(key: string): Promise<StoredFile | undefined>;
  /** For an answer whose head has size and tag. Throws not-found when there is no such file. */
  open(key: string): Promise<OpenFile>;
  /** Throws not-found when there is no such file. The range is within it. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Moves a staged file to its key, replacing what was there. Durable when it resolves. */
  publish(staged: StagedFile, key: string): Promise<StoredFile>;
  copy(from: string, to: string): Promise<void>;
  /** No error when it is gone already. */
  delete(key: string): Promise<void>;
  /** Everything below `prefix/`, hidden folders included; the number of files. */
  deleteAll(prefix: string): Promise<number>;
  /** Files below `prefix/` in order of key; those in a `.cache` folder only when requested, or when the prefix is in one. */
  list(prefix: string, options?: { withCache?: boolean }): AsyncIterable<{ key: string } & StoredFile>;
  /** Where the bytes of a found file lie on this machine, when they do: for hand-over to the front server. */
  localPath(key: string): string | undefined;
  readonly parts: PartStore;
  readonly attic: AtticStore;
  readonly system: SystemStore;
  close(): Promise<void>;
}

/**
 * Files that objects have lost and that may come back. They lie with the files, but no key leads to them. Each has a place of its
 * own: `{number of the object}/{path}/{name}`. Its time is that of its coming.
 */
export interface AtticStore {
  /** Moves a file there; one that is there already is taken for the same. False: there is no such file. */
  keep(key: string, at: string): Promise<boolean>;
  /** Copies a file to a key; it stays in the attic. False: it is not there. */
  takeBack(at: string, key: string): Promise<boolean>;
  /** Throws not-found when there is no such file. */
  open(at: string): Promise<OpenFile>;
  /** Moves a staged file there. */
  put(staged: StagedFile, at: string): Promise<void>;
  /** No error when it is gone already. */
  delete(at: string): Promise<void>;
  /** Everything below a place, such as an object; without one all; the number of files. */
  deleteAll(prefix?: string): Promise<number>;
  /** Files in order of place; of all, or of those below a place. */
  list(prefix?: string): AsyncIterable<{ key: string } & StoredFile>;
}

/**
 * Files of the service itself that all nodes must have: what imports replaced, whole backups. `at`: a path such as
 * `backups/schemas/news/....json`. On disk `{data_dir}/.system/{at}`, for their owner only; in a bucket `.system/{at}`,
 * which no key of a file can name.
 */
export interface SystemStore {
  find(at: string): Promise<StoredFile | undefined>;
  /** Throws not-found when there is no such file. */
  open(at: string): Promise<OpenFile>;
  /** Durable when it resolves. Names that are taken stay as they are, and are returned. */
  create(texts: ReadonlyMap<string, string>): Promise<Set<string>>;
  /** Moves a whole file of this machine there. Aborted in time, it leaves nothing there. */
  put(staged: Pick<StagedFile, "path" | "size">, at: string, signal?: AbortSignal): Promise<void>;
  /** No error when it is gone already. */
  delete(at: string): Promise<void>;
  /** Everything below a folder. */
  deleteAll(prefix: string): Promise<void>;
  /** Below a folder, in order of `key`, which is an `at`. */
  list(prefix: string): AsyncIterable<{ key: string } & StoredFile>;
  /** As list, without looking at each file: less work on disk. */
  listKeys(prefix: string): AsyncIterable<string>;
}

/**
 * Parts of uploads that are not whole yet. They lie with the files, so that all machines that share those take parts of
 * one upload; nothing else in the store sees them. An upload's id is letters, digits and hyphens.
 */
export interface PartStore {
  /** Over its limit it fails with too-large and leaves nothing. What it keeps outlives the process, not every power cut. */
  receive(part: ArrivingPart, staging: Staging): Promise<KeptPart>;
  /** Those of the parts that are not there as they came. */
  listLost(upload: string, parts: readonly KeptPart[]): Promise<KeptPart[]>;
  /** The parts in this order, as one staged file; they stay. */
  gather(upload: string, parts: readonly KeptPart[], staging: Staging): Promise<StagedFile>;
  /** A part that is not needed; it may stay until the others are deleted. */
  discard(upload: string, part: KeptPart): Promise<void>;
  /** Those of an upload that is over; without names all that there are. No error when they are gone already. */
  delete(upload: string, parts?: readonly KeptPart[]): Promise<void>;
  /** Uploads of which the last part came before this time, in milliseconds since 1970. */
  listStale(before: number): AsyncIterable<{ upload: string; size: number }>;
}

export interface ArrivingPart {
  upload: string;
  /** From 0. */
  index: number;
  source: AsyncIterable<Uint8Array>;
  maxBytes: number;
}

export interface KeptPart {
  /** The store's own: another one each time that a part comes. */
  name: string;
  size: number;
}

/** The place for bytes on their way in, and for what is made from them. Swept at start and every hour. */
export interface Staging {
  readonly folder: string;
  /** Streams to a temporary file; over the limit it fails with too-large and leaves nothing. */
  receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>;
  /** A fresh path for a program to write to; `adopt` makes it a staged file. */
  path(extension: string): string;
  adopt(path: string): Promise<StagedFile>;
  discard(staged: Pick<StagedFile, "path">): Promise<void>;
  /** Removes files that were not touched for long; the number of files. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}
