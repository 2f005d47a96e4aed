// The site key: 32 random bytes that encrypt stored data that must not be readable in a copy. It comes from the environment,
// or lies in {data_dir}/.system/site.key: made when first needed, readable by its owner only from the first byte, and never
// replaced.

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "./errors.ts";

const keyLength = 32;
const ivLength = 12;
const tagLength = 16;
const prefix = "enc:v1:";

/** From the environment, by data directory. */
const given = new Map<string, Buffer>();

/** Undefined: the file decides. */
export function useSiteKey(dataDir: string, key: Buffer | undefined): void {
  if (key) given.set(dataDir, key);
  else given.delete(dataDir);
}

export function givenSiteKey(dataDir: string): Buffer | undefined {
  return given.get(dataDir);
}

/** From text: hex or base64. Undefined where it is not a key. */
export function parseSiteKey(content: Buffer): Buffer | undefined {
  if (content.length === keyLength) return content;
  const text = content.toString("latin1").trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  const key = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : undefined;
  return key?.length === keyLength ? key : undefined;
}

/** Says whether two keys are one, and nothing else about them. */
export function siteKeyFingerprint(key: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from("cairn site key\0"), key]), "hex").slice(0, 32);
}

/** Undefined when there is none yet, or the file is invalid. */
export function findSiteKey(dataDir: string): Buffer | undefined {
  const known = given.get(dataDir);
  if (known) return known;
  try {
    const key = readFileSync(keyFile(dataDir));
    return key.length === keyLength ? key : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes it when there is none; of several processes one does, and all get the same. */
export function getSiteKey(dataDir: string): Buffer {
  const known = findSiteKey(dataDir);
  if (known) return known;
  createKeyFile(keyFile(dataDir));
  return (
    findSiteKey(dataDir) ?? fail("unavailable", "The site key is damaged. Restore it from a backup, or remove it.")
  );
}

function keyFile(dataDir: string): string {
  return join(dataDir, ".system", "site.key");
}

/** Written under a temporary name first: a reader that finds the file finds all of it. */
function createKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${dirname(file)}/.site.key.${randomBytes(6).toString("hex")}.tmp`;
  const handle = openSync(temporary, "wx", 0o600);
  try {
    writeSync(handle, randomBytes(keyLength));
    fsyncSync(handle);
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    closeSync(handle);
    rmSync(temporary);
  }
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

export function isEncrypted(text: string): boolean {
  return text.startsWith(prefix);
}

/** `purpose` describes the text; decryption needs the same one, so that one secret cannot be used as another. */
export function encryptSecret(key: Buffer, text: string, purpose: string): string {
  return prefix + sealText(key, text, purpose);
}

/** Undefined when it was encrypted under a different key, for a different purpose, or is damaged. */
export function decryptSecret(key: Buffer, encrypted: string, purpose: string): string | undefined {
  return isEncrypted(encrypted) ? openText(key, encrypted.slice(prefix.length), purpose) : undefined;
}

/** For links: base64url only. */
export function sealText(key: Buffer, text: string, purpose: string): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

export function openText(key: Buffer, sealed: string, purpose: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  // One spelling for each text: variants that the decoder would accept are refused.
  if (bytes.length < ivLength + tagLength || bytes.toString("base64url") !== sealed) return undefined;
  const iv = bytes.subarray(0, ivLength);
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(purpose)).setAuthTag(tag);
    return decipher.update(bytes.subarray(ivLength + tagLength), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
