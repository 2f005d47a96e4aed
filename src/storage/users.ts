// Users found by what they sign in with.

import type { Reader } from "./port.ts";

/** `email` in lower case. */
export async function findUserIdByEmail(db: Reader, email: string): Promise<string | undefined> {
  const address = db.dialect.property("fold", "email", "text");
  const row = await db.one<{ id: string }>(
    `SELECT id FROM object_index WHERE collection = 'auth' AND ${address} = ? LIMIT 1`,
    [email],
  );
  return row?.id;
}
