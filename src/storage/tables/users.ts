// Users found by what they sign in with, and by their groups.

import type { Reader } from "#storage/port.ts";
import type { ObjectRow } from "./object-row.ts";
import { objectColumns } from "./objects.ts";

/** `email` in lower case. */
export async function findUserIdByEmail(db: Reader, email: string, exceptId = ""): Promise<string | undefined> {
  const address = db.dialect.property("fold", "email", "text");
  const row = await db.one<{ id: string }>(
    `SELECT id FROM object_index WHERE collection = 'auth' AND ${address} = ? AND id <> ? LIMIT 1`,
    [email, exceptId],
  );
  return row?.id;
}

export function listUsersOfGroup(db: Reader, group: string): Promise<ObjectRow[]> {
  const { sql, params } = db.dialect.listHas("auth", "groups", group);
  return db.all<ObjectRow>(
    `SELECT ${objectColumns} FROM object_index JOIN objects ON objects.rid = object_index.rid${db.dialect.objects.joined("objects", "auth")}
     WHERE object_index.collection = 'auth' AND ${sql}`,
    params,
  );
}
