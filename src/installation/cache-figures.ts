// Numbers of the caches of all processes. Each server writes its own every ten seconds; the process that is asked adds them up, its
// own being those of the moment.

import { type CacheFacts, earlier, followClearings, listKinds, measureKind, memoryOf } from "#base/caches/kinds.ts";
import { uid } from "#base/ids.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { CacheFigures, CacheProcess } from "#contract/admin.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import { deleteCacheProcess, listCacheProcesses, putCacheProcess } from "#storage/tables/caches/processes.ts";

const firstMs = 1_000;
const everyMs = 10_000;
/** A process that does nothing writes now and then, to be known as alive. */
const aliveMs = 30_000;
/** One that has not written for so long has ended. */
const endedMs = 75_000;

type Parts = Pick<App, "storage" | "clock" | "log">;

interface Figures {
  memory: number;
  kinds: Record<string, CacheFacts>;
}

/** Set in a server: a command has no caches that anybody asks for. */
const ownOf = perInstance((_storage: Storage): { id: string; started: string } => ({ id: "", started: "" }));

/** Returns a function that stops it. */
export function startCacheFigures(app: Parts): () => Promise<void> {
  const { storage, clock, log } = app;
  const own = Object.assign(ownOf(storage), { id: `${process.pid}-${uid(6)}`, started: clock.iso() });
  let written = "";
  let writtenAt = 0;
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const now = clock.now();
    try {
      const figures = JSON.stringify(await measureOwn(storage));
      if (figures === written && now - writtenAt < aliveMs) return;
      const row = { ...own, figures, seen: new Date(now).toISOString() };
      await note(storage, (tx) => putCacheProcess(tx, row, new Date(now - endedMs).toISOString()));
      written = figures;
      writtenAt = now;
    } catch (error) {
      log.debug({ err: error }, "the numbers of the caches could not be written");
    }
  }

  let timer: NodeJS.Timeout;
  const next = (ms: number) => {
    timer = setTimeout(() => {
      running = write().finally(() => next(everyMs));
    }, ms).unref();
  };
  next(firstMs);
  return async () => {
    clearTimeout(timer);
    await running;
    clearTimeout(timer);
    if (writtenAt > 0) await note(storage, (tx) => deleteCacheProcess(tx, own.id));
  };
}

async function measureOwn(storage: Storage): Promise<Figures> {
  await followClearings(storage);
  const kinds = Object.fromEntries(listKinds().map((kind) => [kind.name, measureKind(storage, kind)]));
  return { memory: memoryOf(storage), kinds };
}

interface Process extends CacheProcess {
  kinds: Figures["kinds"];
}

async function listProcesses({ storage, clock }: Parts): Promise<Process[]> {
  const own = ownOf(storage);
  const rows = await listCacheProcesses(storage, new Date(clock.now() - endedMs).toISOString());
  const others = rows
    .filter(({ id }) => id !== own.id)
    .map(({ id, started, figures }) => ({ id, started, ...read(figures) }));
  const { memory, kinds } = await measureOwn(storage);
  const all = own.id === "" ? others : [{ ...own, bytes: memory, kinds }, ...others];
  return all.sort((a, b) => (a.started < b.started ? -1 : 1));
}

function read(figures: string): Pick<Process, "bytes" | "kinds"> {
  const { memory, kinds } = JSON.parse(figures) as Figures;
  return { bytes: memory, kinds };
}

export async function sumFigures(app: Parts): Promise<{ caches: CacheFigures[]; processes: CacheProcess[] }> {
  const processes = await listProcesses(app);
  const caches = listKinds().map(({ name, about, place, isShared, isClearedAlone }): CacheFigures => {
    const all = processes.flatMap(({ kinds }) => kinds[name] ?? []);
    const sum = (read: (facts: CacheFacts) => number) => all.reduce((total, facts) => total + read(facts), 0);
    // Of shared entries each process counts the same.
    const held = (read: (facts: CacheFacts) => number) => (isShared ? Math.max(0, ...all.map(read)) : sum(read));
    const [hits, misses] = [sum((facts) => facts.hits), sum((facts) => facts.misses)];
    const oldest = all.map((facts) => facts.oldest).reduce(earlier, undefined);
    return {
      ...{ name, about, place, shared: isShared, clearable: isClearedAlone },
      entries: held((facts) => facts.entries),
      bytes: held((facts) => facts.bytes),
      capacity: held((facts) => facts.capacity),
      hits,
      misses,
      rate: hits + misses === 0 ? null : Math.round((hits / (hits + misses)) * 1_000) / 1_000,
      evictions: sum((facts) => facts.evictions),
      oldest: oldest === undefined ? null : new Date(oldest).toISOString(),
    };
  });
  return { caches, processes: processes.map(({ id, started, bytes }) => ({ id, started, bytes })) };
}

/** By kind, in all processes. */
export async function entriesOf(app: Parts): Promise<Record<string, number>> {
  const { caches } = await sumFigures(app);
  return Object.fromEntries(caches.map(({ name, entries }) => [name, entries]));
}
