// Passkeys (WebAuthn): made by signed-in users for themselves, and a second way to sign in.
// Challenges are random, stored by their hash, valid for five minutes and one use, in any process.
// The public URL alone decides where they may be used.

import type * as WebAuthn from "@simplewebauthn/server";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { confirmSession, issueToken, type TokenUse, takeToken } from "#access/account-tokens.ts";
import { type Account, findAccount, findPasswordHash } from "#access/accounts.ts";
import { audit } from "#access/audit.ts";
import { hashOf } from "#access/sessions.ts";
import type { SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import { lazily } from "#base/lazy.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { lockName } from "#storage/name-locks.ts";
import { UniqueViolation } from "#storage/port.ts";
import type { TokenRow } from "#storage/tables/account-tokens.ts";
import {
  deletePasskey as deleteRow,
  findPasskey,
  insertPasskey,
  listPasskeys as listRows,
  type PasskeyRow,
  stampPasskey,
} from "#storage/tables/passkeys.ts";
import { proveIdentity, takeProof } from "./identity-proof.ts";
import { type Login, type SignInStart, signIn } from "./login.ts";

const webauthn = lazily<typeof WebAuthn>("@simplewebauthn/server");

/** The site of a passkey. */
export interface Site {
  /** The domain. */
  id: string;
  origin: string;
}

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string;
  name: string;
  created: string;
  lastUsed: string | null;
}

const siteName = "Cairn";
const lifetimeMs = 300_000;
const algorithms = [-7, -257];
const maxPasskeys = 20;
/** The id must fit into a path. */
const maxIdLength = 500;
const maxName = 100;

/** Off by setting or edition: then these routes are 404 for all callers. */
export function requirePasskeys(ctx: Context): void {
  if (!hasPasskeys(ctx)) fail("not-found");
}

export function hasPasskeys({ settings }: Pick<Context, "settings">): boolean {
  return settings.get("auth.usePasskeys") && settings.get("edition") !== "lite";
}

/** Browsers need the name of this machine: for an address they offer no passkeys. */
export function siteAt(baseUrl: string): Site {
  const url = new URL(baseUrl);
  if (/^127(\.\d+){3}$|^\[::1\]$/.test(url.hostname)) url.hostname = "localhost";
  return { id: url.hostname, origin: url.origin };
}

export async function loginOptions(ctx: Context, site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return webauthn().generateAuthenticationOptions({
    rpID: site.id,
    challenge: await makeChallenge(ctx, { purpose: "passkey-login" }),
    timeout: lifetimeMs,
    userVerification: "required",
  });
}

export async function logInByPasskey(ctx: Context, site: Site, body: Json, start: SignInStart): Promise<Login> {
  const response = credentialOf(body) as AuthenticationResponseJSON | undefined;
  const challenge = await takeChallenge(ctx, response, "passkey-login");
  const passkey = response && (await findPasskey(ctx.storage, response.id));
  // Nothing has waited yet for what other servers wrote about the user.
  await ctx.storage.catchUp();
  const account = passkey && (await findAccount(ctx, passkey.userId));
  if (account && challenge !== undefined && (await isSignedBy(ctx, passkey, { response, challenge, site, account }))) {
    const hash = (await findPasswordHash(ctx, account.id)) ?? "";
    const login = await signIn(ctx, { account, hash }, start);
    if (login) {
      await confirm(ctx, account, hashOf(login.session.value));
      return login;
    }
  }
  audit(ctx, { type: "login.failed", user: account?.id });
  return fail("unauthenticated", "This passkey is not valid for an account here.");
}

interface Assertion {
  response: AuthenticationResponseJSON;
  challenge: string;
  site: Site;
  account: Account;
}

/** Also false when the counter of its uses does not go up: then there is a copy. */
async function isSignedBy(ctx: Context, passkey: PasskeyRow, assertion: Assertion): Promise<boolean> {
  const { response, challenge, site, account } = assertion;
  const { userHandle } = response.response;
  if (passkey.userRid !== account.rid) return false;
  if (userHandle !== undefined && userHandle !== handleOf(account.rid).toString("base64url")) return false;
  const verified = await webauthn()
    .verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: {
        id: passkey.id,
        publicKey: Buffer.from(passkey.publicKey, "base64url"),
        counter: passkey.signCount,
      },
      requireUserVerification: true,
    })
    .catch(() => undefined);
  if (!verified?.verified) return false;
  const use = { signCount: verified.authenticationInfo.newCounter, lastUsed: ctx.clock.iso() };
  return ctx.storage.write((tx) => stampPasskey(tx, passkey, use));
}

/** For signed-in users, to confirm their identity again. */
export async function confirmationOptions(
  ctx: Context,
  site: Site,
  signedIn: SignedIn,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const account = ownerOf(signedIn);
  const known = await listRows(ctx.storage, account.id, account.rid);
  return webauthn().generateAuthenticationOptions({
    rpID: site.id,
    challenge: await makeChallenge(ctx, { purpose: "passkey-confirm", user: account }),
    timeout: lifetimeMs,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) })),
    userVerification: "required",
  });
}

/** Until when the session may change password, address and passkeys. */
export async function confirmByPasskey(
  ctx: Context,
  site: Site,
  signedIn: SignedIn,
  body: Json,
): Promise<{ confirmedUntil: string }> {
  const account = ownerOf(signedIn);
  const response = credentialOf(body) as AuthenticationResponseJSON | undefined;
  const challenge = await takeChallenge(ctx, response, "passkey-confirm", account);
  const passkey = response && (await findPasskey(ctx.storage, response.id));
  if (!passkey || challenge === undefined) return refuse();
  if (!(await isSignedBy(ctx, passkey, { response, challenge, site, account }))) return refuse();
  return { confirmedUntil: await confirm(ctx, account, signedIn.session.hash) };
}

function confirm(ctx: Context, user: Account, session: string): Promise<string> {
  return confirmSession(ctx, { session, user, lifetimeMs });
}

/** `body`: nothing, or `{currentPassword}`. */
export async function registrationOptions(
  ctx: Context,
  site: Site,
  signedIn: SignedIn,
  body: Json,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const account = await provenOwner(ctx, signedIn, body);
  const known = await listRows(ctx.storage, account.id, account.rid);
  return webauthn().generateRegistrationOptions({
    rpName: siteName,
    rpID: site.id,
    userID: handleOf(account.rid),
    userName: account.email,
    userDisplayName: account.name,
    challenge: await makeChallenge(ctx, { purpose: "passkey-register", user: account }),
    timeout: lifetimeMs,
    attestationType: "none",
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
}

/** `body`: the credential, or `{credential, name}`; either with `currentPassword`. */
export async function registerPasskey(ctx: Context, site: Site, signedIn: SignedIn, body: Json): Promise<Passkey> {
  const account = await provenOwner(ctx, signedIn, body);
  const response = credentialOf(body) as RegistrationResponseJSON | undefined;
  const challenge = await takeChallenge(ctx, response, "passkey-register", account);
  if (!response || challenge === undefined) return refuse();
  const verified = await webauthn()
    .verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    .catch(() => undefined);
  if (!verified?.verified) return refuse();
  const { credential } = verified.registrationInfo;
  if (credential.id.length > maxIdLength) return refuse();
  const created = ctx.clock.iso();
  const row: PasskeyRow = {
    id: credential.id,
    userId: account.id,
    userRid: account.rid,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    signCount: credential.counter,
    transports: JSON.stringify(transportsOf(credential.transports)),
    name: nameOf(body) ?? `Passkey ${created.slice(0, 10)}`,
    created,
    lastUsed: null,
  };
  try {
    await ctx.storage.write(async (tx) => {
      await lockName(tx, `passkeys ${account.rid}`);
      const known = await listRows(tx, account.id, account.rid);
      if (known.length >= maxPasskeys) fail("invalid", `A user can have at most ${maxPasskeys} passkeys.`);
      await insertPasskey(tx, row);
    });
  } catch (error) {
    if (error instanceof UniqueViolation) return refuse();
    throw error;
  }
  audit(ctx, { type: "passkey.created", user: account.id });
  return presentPasskey(row);
}

export async function listPasskeys(ctx: Context, signedIn: SignedIn): Promise<Passkey[]> {
  const { id, rid } = ownerOf(signedIn);
  return (await listRows(ctx.storage, id, rid)).map(presentPasskey);
}

/** `body`: nothing, or `{currentPassword}`. */
export async function deletePasskey(ctx: Context, signedIn: SignedIn, id: string, body: Json): Promise<void> {
  const account = await provenOwner(ctx, signedIn, body);
  const isDeleted = await ctx.storage.write((tx) => deleteRow(tx, id, account.rid));
  if (!isDeleted) fail("not-found", "You have no such passkey.");
  audit(ctx, { type: "passkey.deleted", user: account.id });
}

/** Users see and change only their own; an administrator who acts as them does not. */
function ownerOf({ account, impersonator }: SignedIn): Account {
  if (impersonator) fail("forbidden", "Passkeys cannot be managed while you act as another user.");
  return account;
}

async function provenOwner(ctx: Context, signedIn: SignedIn, body: Json): Promise<Account> {
  const account = ownerOf(signedIn);
  await proveIdentity(ctx, account, takeProof(body as JsonObject).currentPassword);
  return account;
}

function refuse(): never {
  fail("invalid", "The passkey could not be verified. Try again.");
}

function presentPasskey({ id, name, created, lastUsed }: PasskeyRow): Passkey {
  return { id, name, created, lastUsed };
}

/** Identifies the account for authenticators, and reveals nothing to others. */
function handleOf(rid: number): Buffer<ArrayBuffer> {
  return Buffer.from(`cairn-user-${rid}`);
}

async function makeChallenge(ctx: Context, use: TokenUse): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await issueToken(ctx, use, lifetimeMs), "base64url");
}

type Credential = AuthenticationResponseJSON | RegistrationResponseJSON;

/** The answered challenge, used up in any case; undefined when it is not one of ours. */
async function takeChallenge(
  ctx: Context,
  credential: Credential | undefined,
  purpose: TokenRow["purpose"],
  user?: Account,
): Promise<string | undefined> {
  const challenge = credential && challengeOf(credential);
  if (challenge === undefined) return undefined;
  const taken = await ctx.storage.write((tx) => takeToken(tx, challenge, { purpose, clock: ctx.clock }));
  return taken && taken.userRid === (user?.rid ?? 0) ? challenge : undefined;
}

function challengeOf({ response }: Credential): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString("utf8"));
    return typeof data.challenge === "string" ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The part that is read before the library checks it. */
function credentialOf(body: Json): Credential | undefined {
  const sent =
    isJsonObject(body) && isJsonObject(body.credential) ? body.credential : takeProof(body as JsonObject).body;
  const isCredential =
    isJsonObject(sent) &&
    typeof sent.id === "string" &&
    isJsonObject(sent.response) &&
    typeof sent.response.clientDataJSON === "string";
  return isCredential ? (sent as unknown as Credential) : undefined;
}

function nameOf(body: Json): string | undefined {
  const name = (body as JsonObject).name;
  if (name === undefined || name === null || name === "") return undefined;
  if (typeof name !== "string" || name.length > maxName || /\p{Cc}/u.test(name)) {
    return fail("validation-failed", undefined, { name: [`must be text of at most ${maxName} characters`] });
  }
  return name.trim() || undefined;
}

function transportsOf(sent: unknown): string[] {
  const known = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];
  return Array.isArray(sent) ? known.filter((name) => sent.includes(name)) : [];
}
