// A server process on a shared database says every few seconds that it is there, and which version it is. What a new version
// removes from the database waits until every process that is there is new enough; a process that was passed over says so.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { version } from "#base/version.ts";
import { newestMigration } from "#storage/migrate.ts";
import type { Storage } from "#storage/port.ts";
import { deleteNode, deleteNodesBefore, listNodes, type NodeRow, putNode } from "#storage/tables/nodes/nodes.ts";
import type { Parts } from "./parts.ts";

const beatMs = 10_000;
/** A process that was not seen for so long is taken for dead, and so long no older one may have been seen. */
export const quietMs = 60_000;
const forgetMs = 600_000;

const outdated = new WeakMap<Storage, string>();

/** The sentence for operators, when a newer version has removed what this process needs. */
export function findOutdated(storage: Storage): string | undefined {
  return outdated.get(storage);
}

/** Resolves once it is registered, to a function that takes it out again. */
export async function registerNode(app: Parts): Promise<() => Promise<void>> {
  const { storage, clock, log } = app;
  if (!storage.shared) return async () => {};
  const shared = storage.shared;
  const at = (agoMs: number) => new Date(clock.now() - agoMs).toISOString();
  const own: NodeRow = {
    ...{ id: randomUUID(), version, knows: newestMigration(), host: hostname(), pid: process.pid },
    ...{ started: at(0), seen: at(0) },
  };
  let quietSince = performance.now();

  async function beat(): Promise<void> {
    await storage.write(async (tx) => {
      await putNode(tx, { ...own, seen: at(0) });
      await deleteNodesBefore(tx, at(forgetMs));
    });
    const lost = await shared.findLost();
    if (lost !== undefined && !outdated.has(storage)) {
      outdated.set(storage, lost);
      log.fatal(
        { migration: lost },
        "a newer version has removed from the database what this one needs: update this node",
      );
    }
    const nodes = await listNodes(storage);
    if (nodes.some(({ seen, knows }) => seen >= at(quietMs) && knows < own.knows)) quietSince = performance.now();
    if (performance.now() - quietSince < quietMs) return;
    const removed = await shared.contract(at(quietMs));
    if (removed.length > 0) log.info({ migrations: removed }, "no older version is left: the database was tidied up");
  }

  await beat();
  const lost = outdated.get(storage);
  if (lost !== undefined)
    throw new Error(
      `A newer version of Cairn has removed from the database what this one needs (${lost}): update Cairn.`,
    );
  await warnOfConnections(app);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = beat().catch((error) => log.debug({ err: error }, "this process could not say that it is there"));
  }, beatMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
    await storage.write((tx) => deleteNode(tx, own.id)).catch(() => {});
  };
}

/** Ten are left to the server's own work and to commands. */
async function warnOfConnections({ storage, clock, log }: Parts): Promise<void> {
  const since = new Date(clock.now() - quietMs).toISOString();
  const processes = (await listNodes(storage)).filter(({ seen }) => seen >= since).length;
  const { own, limit } = (await storage.shared?.connections()) ?? { own: 0, limit: 0 };
  if (processes * own > limit - 10)
    log.warn(
      { processes, connectionsOfEach: own, max_connections: limit },
      "all processes together may take more connections than the database allows: raise max_connections, lower database.connections, or put a pool between",
    );
}
