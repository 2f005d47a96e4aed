// Files that come in chunks. The bytes of a chunk are in the file store and its row in the database, so any process on any
// machine takes any chunk, and a crash loses nothing that has arrived. The process that gets the last chunk has a lease on the
// upload while it is put together and saved (jobs/leases.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { CairnError, fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import type { StagedFile } from "#files/port.ts";
import { releaseHold, renewLease, tryLease } from "#jobs/leases.ts";
import type { Tx } from "#storage/port.ts";
import * as rows from "#storage/tables/uploads.ts";

const maxChunks = 10_000;
const maxNamed = 20;
/** How often a request checks whether another one is done with the upload. */
const waitMs = 250;

export interface Chunk {
  /** Identifies the upload: by caller, target and the upload's own id. Letters and digits. */
  upload: string;
  /** From 0. */
  index: number;
  total: number;
  source: AsyncIterable<Uint8Array>;
  /** For the whole file. */
  maxBytes: number;
}

/** All chunks as one file. The caller must call drop or release. */
export interface WholeUpload {
  staged: StagedFile;
  /** When it is saved, or refused for good. */
  drop(): Promise<void>;
  /** When it could not be saved for now: any chunk that is sent again completes the upload. */
  release(): Promise<void>;
}

/**
 * Takes one chunk, in any order, also a second time. The whole upload goes to exactly one caller; the others get undefined.
 * Callers that come while it is saved wait for that.
 */
export async function addChunk(app: App, chunk: Chunk): Promise<WholeUpload | undefined> {
  const { upload, index, total } = chunk;
  checkNumbers(index, total);
  const part = await keepPart(app, chunk);
  const arrival = await arrive(app, chunk, part);
  if (arrival.useless) await app.files.parts.discard(upload, arrival.useless);
  if (arrival.parts) return putTogether(app, chunk, arrival.parts);
  if (index === total - 1 && !arrival.isOver) refuseGaps(await rows.listParts(app.storage, upload), total);
  return undefined;
}

async function keepPart(app: App, { upload, index, total, source, maxBytes }: Chunk): Promise<rows.UploadPart> {
  const { storage, staging, files } = app;
  const known = await rows.findUpload(storage, upload);
  if (known) checkTotal(known, total);
  const others = await rows.measureParts(storage, upload, index);
  const arriving = { upload, index, source, maxBytes: maxBytes - others.size };
  return { number: index, ...(await files.parts.receive(arriving, staging)) };
}

interface Arrival {
  /** The part that this one has replaced, or itself. */
  useless?: rows.UploadPart | undefined;
  /** All of them; the upload is held. */
  parts?: rows.UploadPart[];
  /** Another request has completed it meanwhile. */
  isOver?: boolean;
}

/** Waits while the upload is held by another: its parts are being read. */
async function arrive(app: App, chunk: Chunk, part: rows.UploadPart): Promise<Arrival> {
  try {
    for (let isWaiting = false; ; isWaiting = true) {
      const arrival = await app.storage.write((tx) => record(app, tx, { chunk, part, isWaiting }));
      if (arrival) return arrival;
      await sleep(waitMs);
    }
  } catch (error) {
    await app.files.parts.discard(chunk.upload, part);
    throw error;
  }
}

/** Undefined: the upload is held. */
async function record(
  app: App,
  tx: Tx,
  { chunk, part, isWaiting }: { chunk: Chunk; part: rows.UploadPart; isWaiting: boolean },
): Promise<Arrival | undefined> {
  const { upload, index, total, maxBytes } = chunk;
  if (isWaiting && !(await rows.lockUpload(tx, upload))) return { useless: part, isOver: true };
  const row = await rows.touchUpload(tx, { id: upload, total, touched: app.clock.iso() });
  checkTotal(row, total);
  const others = await rows.measureParts(tx, upload, index);
  if (others.size + part.size > maxBytes) fail("too-large", `The file is larger than ${maxBytes} bytes.`);
  if (others.count + 1 < total) return { useless: await rows.putPart(tx, upload, part) };
  if (!(await tryLease(app, tx, upload))) return undefined;
  return { useless: await rows.putPart(tx, upload, part), parts: await rows.listParts(tx, upload) };
}

async function putTogether(app: App, chunk: Chunk, parts: rows.UploadPart[]): Promise<WholeUpload | undefined> {
  const { files, staging, storage, log } = app;
  const { upload } = chunk;
  const { confirm, stop, release } = renewLease(app, upload);
  try {
    await checkStored(app, chunk, parts);
    const staged = await files.parts.gather(upload, parts, staging);
    if (!(await confirm())) {
      await staging.discard(staged);
      throw new CairnError("unavailable", "The upload took too long to be put together. Send the last chunk again.");
    }
    return {
      staged,
      release,
      async drop() {
        stop();
        try {
          await storage.write(async (tx) => {
            await rows.deleteUpload(tx, upload);
            await releaseHold(tx, upload);
          });
          await files.parts.delete(upload, parts);
        } catch (error) {
          log.warn({ err: error }, "the chunks of an upload are left to be swept");
        }
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A power cut may have lost chunks that were confirmed: they have to be sent again. */
async function checkStored({ files, storage }: App, { upload, total }: Chunk, parts: rows.UploadPart[]): Promise<void> {
  const lost = new Set((await files.parts.listLost(upload, parts)).map(({ name }) => name));
  if (lost.size === 0) return;
  await storage.write(async (tx) => {
    for (const part of parts) if (lost.has(part.name)) await rows.deletePart(tx, upload, part);
  });
  refuseGaps(await rows.listParts(storage, upload), total);
}

function checkNumbers(index: number, total: number): void {
  if (!Number.isInteger(total) || total < 1 || total > maxChunks)
    fail("invalid", `An upload has 1 to ${maxChunks} chunks.`, { total: [`must be from 1 to ${maxChunks}`] });
  if (!Number.isInteger(index) || index < 0 || index >= total)
    fail("invalid", "The chunk's index is out of range.", { index: [`must be from 0 to ${total - 1}`] });
}

/** The first chunk decides how many there are. */
function checkTotal(row: rows.UploadRow, total: number): void {
  if (row.total !== total)
    fail("invalid", "The number of chunks has changed.", { total: [`must be ${row.total}, as with the first chunk`] });
}

function refuseGaps(parts: readonly rows.UploadPart[], total: number): void {
  const there = new Set(parts.map(({ number }) => number));
  const missing = Array.from({ length: total }, (_, index) => index).filter((index) => !there.has(index));
  if (missing.length === 0) return;
  const named = missing.slice(0, maxNamed).join(", ");
  const text = missing.length > maxNamed ? `${named} and ${missing.length - maxNamed} more` : named;
  fail("invalid", `Chunks are missing: ${text}.`, { chunks: [`missing: ${text}`] });
}
