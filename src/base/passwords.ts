// Passwords: argon2id, stored as PHC strings (`$argon2id$v=19$m=...,t=...,p=...$salt$hash`).
// Verifying takes the cost from the stored string, within bounds, so that costs can be raised later.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";

/** OWASP's recommendation: 19 MiB, two passes. Processes that tests share lower it (scripts/warm-process.ts). */
export const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const phc = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

interface ParsedHash {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

export async function hashPassword(plain: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(plain, { ...cost, nonce: salt, tagLength });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(tag)}`;
}

export async function verifyPassword(plain: string, hash: string): Promise<boolean> {
  const parsed = parseHash(hash);
  if (!parsed) return false;
  const { memory, passes, parallelism, salt, tag } = parsed;
  const derived = await derive(plain, { memory, passes, parallelism, nonce: salt, tagLength: tag.length });
  return timingSafeEqual(derived, tag);
}

export function isPasswordHash(text: string): boolean {
  return parseHash(text) !== undefined;
}

/** Refuses hashes that would take minutes or gigabytes to verify. */
function parseHash(text: string): ParsedHash | undefined {
  const parts = phc.exec(text);
  if (!parts) return undefined;
  const [memory, passes, parallelism] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const isSound =
    parallelism >= 1 && parallelism <= 16 && passes >= 1 && memory >= 8 * parallelism && memory <= 262_144;
  if (!isSound || memory * passes > 2_097_152) return undefined;
  const salt = Buffer.from(parts[4] as string, "base64");
  return { memory, passes, parallelism, salt, tag: Buffer.from(parts[5] as string, "base64") };
}

/** The same text can be typed in different code points; NFKC makes them one. */
function derive(plain: string, parameters: Omit<Argon2Parameters, "message">): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2("argon2id", { ...parameters, message: plain.normalize("NFKC") }, (error, tag) => {
      if (error) reject(error);
      else resolve(tag);
    });
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
