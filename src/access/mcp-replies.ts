// A reply of a client of the 2025 revisions to a question of the server is posted to whichever process takes the
// connection. It waits here for a moment, until the process that asked takes it.

import type { Clock } from "#base/clock.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import { deleteOldMcpAnswers, insertMcpAnswer, takeMcpAnswers } from "#storage/tables/mcp-answers.ts";
import { mcpSessionHash } from "./mcp-sessions.ts";

interface Parts {
  storage: Storage;
  clock: Clock;
}

/** Longer than any server waits for a reply. */
const keptMs = 10 * 60_000;

/** `session`: the id, of which only the hash is stored. */
export async function passMcpReply(app: Parts, asker: string, session: string, message: JsonObject): Promise<void> {
  const now = app.clock.now();
  await app.storage.write(async (tx) => {
    await deleteOldMcpAnswers(tx, new Date(now - keptMs).toISOString());
    const row = { asker, session: mcpSessionHash(session), message: JSON.stringify(message) };
    await insertMcpAnswer(tx, row, new Date(now).toISOString());
  });
}

/** Takes each reply that waits for this process, with the session among these that it is for. */
export async function collectMcpReplies(
  app: Parts,
  asker: string,
  sessions: Iterable<string>,
): Promise<{ session: string; message: JsonObject }[]> {
  const rows = await app.storage.write((tx) => takeMcpAnswers(tx, asker));
  const byHash = new Map([...sessions].map((id) => [mcpSessionHash(id), id]));
  return rows.flatMap(({ session, message }) => {
    const id = byHash.get(session);
    return id === undefined ? [] : [{ session: id, message: JSON.parse(message) as JsonObject }];
  });
}

/** Calls the listener whenever a reply may have come. */
export function watchMcpReplies({ storage }: Pick<Parts, "storage">, listener: () => void): () => void {
  return storage.watch("mcp-answers", listener);
}
