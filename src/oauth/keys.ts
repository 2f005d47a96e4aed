// The signing keys: {data_dir}/.system/oauth-keys/private.key and, for information, public.key beside it; where several nodes
// share a database, there, and in no file.
// Made by `oauth:setup` and never by the server itself. The private file decides: the public key is derived from it.

import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { CairnError, fail } from "#base/errors.ts";
import { createFileAtomic, writeFileAtomic } from "#base/files.ts";
import type { App, Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { SigningKeyResult, SigningKeyState } from "#contract/oauth.ts";
import type { Mirror } from "#definitions/mirror.ts";
import { findSigningKey, signingKeyTime, storeSigningKey } from "#definitions/signing-key.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { Storage } from "#storage/port.ts";
import { deleteAllGrants } from "#storage/tables/oauth-grants.ts";
import { readFlag } from "./read-flag.ts";

export interface SigningKeys {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The public key as the key set shows it. */
  jwk: PublicJwk;
}

export interface PublicJwk {
  kty: "RSA";
  use: "sig";
  alg: "RS256";
  kid: string;
  n: string;
  e: string;
}

export interface KeySetup {
  privateKey: string;
  publicKey: string;
  kid: string;
  /** False: they existed already and stay. */
  created: boolean;
  /** Grants that ended with the old keys. */
  revoked: number;
}

export const keysMissing = "The signing keys are not configured. Create them with: cairn oauth:setup";
const modulusLength = 2048;
const makeKeyPair = promisify(generateKeyPair);

/** Cached until keys or grants change, in any process; undefined before `oauth:setup`. */
export function findKeys(app: KeyParts): SigningKeys | undefined {
  return signingKeys.get(app.storage, () => {
    if (app.definitions) return sharedKeys(app.definitions, app.settings);
    // Missing keys are looked for each time: they may have been copied there by hand.
    const keys = readKeys(privateFile(app.settings));
    // In the background: nothing here reads that file.
    if (keys)
      mendPublicFile(app, keys).catch((error) => app.log.warn({ err: error }, "public.key could not be written"));
    return keys;
  });
}

type KeyParts = Pick<App, "storage" | "settings" | "log" | "definitions">;

function sharedKeys(definitions: Mirror, { dataDir }: App["settings"]): SigningKeys | undefined {
  const pem = findSigningKey(definitions, dataDir);
  return pem === undefined ? undefined : keysFrom(pem ?? "");
}

const signingKeys = createVersionedValue<Storage, SigningKeys>((storage) => storage.version("grants"));

/** For administrators. A key that cannot be used is reported, not thrown. */
export async function getKeyState(ctx: Context): Promise<SigningKeyState> {
  allow(ctx, "read", { kind: "oauth" });
  const created = (await keyTime(ctx)) ?? null;
  try {
    const kid = findKeys(ctx)?.kid ?? null;
    return { configured: kid !== null, kid, created };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { configured: false, kid: null, created, problem: error.message };
  }
}

async function keyTime({ definitions, settings }: Context): Promise<string | undefined> {
  if (definitions) return signingKeyTime(definitions);
  const stored = await stat(privateFile(settings)).catch(() => undefined);
  return stored?.mtime.toISOString();
}

/** Makes the keys unless they exist; with `force` new ones, which ends every grant and every token. */
export async function setUpKeys(ctx: Context, { force = false } = {}): Promise<KeySetup> {
  allow(ctx, "update", { kind: "oauth" });
  if (ctx.definitions) return setUpShared(ctx, ctx.definitions, force);
  const file = privateFile(ctx.settings);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await newPrivateKey();
  let created = true;
  let revoked = 0;
  if (force) {
    // Before the key, so that a command that dies between the two leaves no old grant valid under a new key.
    revoked = await announce(ctx, { force });
    await writeFileAtomic(file, text, 0o600);
  } else created = await createFileAtomic(file, text, 0o600);
  chmodSync(file, 0o600);
  const { kid } = await writePublicFile(ctx.settings);
  // And after it: servers use the new key now, and grants made under the old one meanwhile end too.
  revoked += await announce(ctx, { force });
  if (created) audit(ctx, { type: "signing-keys.made", details: { kid, revoked } });
  return { privateKey: file, publicKey: publicFile(ctx.settings), kid, created, revoked };
}

async function setUpShared(ctx: Context, definitions: Mirror, force: boolean): Promise<KeySetup> {
  // Before and after the key, as with files.
  let revoked = force ? await announce(ctx, { force }) : 0;
  const pem = await newPrivateKey();
  const created = await storeSigningKey(definitions, ctx.settings.dataDir, { pem, isReplacing: force });
  revoked += await announce(ctx, { force });
  const { kid } = findKeys(ctx) ?? fail("unavailable", keysMissing);
  if (created) audit(ctx, { type: "signing-keys.made", details: { kid, revoked } });
  return { privateKey: "in the database", publicKey: "in the database", kid, created, revoked };
}

/** The same for administrators, by a request. */
export async function changeKeys(ctx: Context, body: Json = {}): Promise<SigningKeyResult> {
  allow(ctx, "update", { kind: "oauth" });
  const { created: isNew, revoked } = await setUpKeys(ctx, { force: readFlag(body, "force") });
  return { ...(await getKeyState(ctx)), isNew, revoked };
}

/** Makes every process load the keys again; with `force` all grants end. Returns their number. */
function announce({ storage, clock }: Context, { force }: { force: boolean }): Promise<number> {
  return storage.write(async (tx) => {
    await invalidate(tx, "grants", clock.iso());
    return force ? deleteAllGrants(tx) : 0;
  });
}

/** Repeats until it matches the private file: a process that replaces that one writes this one afterwards, so the last read is right. */
async function writePublicFile(settings: App["settings"]): Promise<SigningKeys> {
  const read = () => readKeys(privateFile(settings)) ?? fail("unavailable", keysMissing);
  for (;;) {
    const keys = read();
    await writeFileAtomic(publicFile(settings), publicText(keys), 0o644);
    if (read().kid === keys.kid) return keys;
  }
}

/** A command that died may have left the previous public file. */
async function mendPublicFile({ settings }: Pick<App, "settings">, keys: SigningKeys): Promise<void> {
  if (readText(publicFile(settings)) !== publicText(keys)) await writePublicFile(settings);
}

function publicText({ publicKey }: SigningKeys): string {
  return publicKey.export({ type: "spki", format: "pem" }) as string;
}

async function newPrivateKey(): Promise<string> {
  const { privateKey } = await makeKeyPair("rsa", { modulusLength });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

function readKeys(file: string): SigningKeys | undefined {
  const text = readText(file);
  return text === undefined ? undefined : keysFrom(text);
}

function keysFrom(text: string): SigningKeys {
  const privateKey = parseKey(text);
  const publicKey = createPublicKey(privateKey);
  const { n, e } = publicKey.export({ format: "jwk" }) as { n: string; e: string };
  // The thumbprint of RFC 7638: the same key has the same name in every process.
  const kid = hash("sha256", JSON.stringify({ e, kty: "RSA", n }), "base64url");
  return { kid, privateKey, publicKey, jwk: { kty: "RSA", use: "sig", alg: "RS256", kid, n, e } };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parseKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // Falls through to the error below.
  }
  return fail(
    "unavailable",
    "The OAuth signing key is damaged. Restore it from a backup, or: cairn oauth:setup --force",
  );
}

function privateFile({ dataDir }: Pick<App["settings"], "dataDir">): string {
  return join(dataDir, ".system", "oauth-keys", "private.key");
}

function publicFile({ dataDir }: Pick<App["settings"], "dataDir">): string {
  return join(dataDir, ".system", "oauth-keys", "public.key");
}
