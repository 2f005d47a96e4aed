// Hashes of the passwords in what was sent. Hashing is slow on purpose, so it comes before the transaction.

import { hashPassword } from "#base/passwords.ts";
import type { JsonObject } from "#contract/json.ts";
import { collectPasswords } from "#schemas/build.ts";
import type { FlatSchema } from "#schemas/types.ts";

/** Plain password -> hash. */
export type PasswordHashes = ReadonlyMap<string, string>;

export const noHashes: PasswordHashes = new Map();

export async function hashPasswords(schema: FlatSchema, sent: JsonObject): Promise<PasswordHashes> {
  const passwords = collectPasswords(schema, sent);
  return passwords.length === 0 ? noHashes : hashAll(passwords);
}

/** For a write that is refused: what stands for the hashes is not stored. */
export function skipHashing(schema: FlatSchema, sent: JsonObject): PasswordHashes {
  return new Map(collectPasswords(schema, sent).map((plain) => [plain, ""]));
}

/** Each of them once, however often it comes. */
export async function hashAll(passwords: Iterable<string>): Promise<PasswordHashes> {
  const hashes = new Map<string, string>();
  for (const plain of new Set(passwords)) hashes.set(plain, await hashPassword(plain));
  return hashes;
}
