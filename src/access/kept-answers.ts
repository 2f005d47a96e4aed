// Requests that are sent again, with a key of the caller's own: one is carried out, the others get its answer. A claim has an
// owner, and its mark "written" is part of the owner's write; so neither a crash nor a race carries a request out twice.

import { createHash, createHmac, type Hash, type Hmac, hkdfSync, randomUUID } from "node:crypto";
import { CairnError, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { getSiteKey, openText, sealText } from "#base/secrets.ts";
import type { App, Context } from "#context.ts";
import { type RunningClaim, runClaimed } from "#storage/claimed-writes.ts";
import { deleteUnwrittenClaim, findClaim, insertClaim, putClaimAnswer } from "#storage/tables/caches/request-claims.ts";
import { callerName } from "./callers.ts";

const keptMs = 86_400_000;
/** A request that has written nothing by then may be carried out by another one; its own write is refused. */
const leaseMs = 60_000;
const maxAnswer = 65_536;

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Its body is no text. */
  isBase64?: boolean;
}

export type RequestClaim = RunningClaim;

export interface SentRequest {
  key: string;
  /** Method and path. */
  address: string;
  body: string;
}

/** A claim to carry the request out, or the answer to the first one. */
export async function claimRequest(
  ctx: Context,
  { key, address, body }: SentRequest,
): Promise<RequestClaim | KeptAnswer> {
  const { actor, clock, storage, settings } = ctx;
  if (actor.kind !== "key" && actor.kind !== "user" && actor.kind !== "token")
    fail("unauthenticated", "Idempotency-Key needs a credential: answers are kept for their caller.");
  const now = clock.now();
  // Nodes of an older version must find it, so it is made as they make it.
  const name = hashOf(createHash("sha256"), [callerName(actor), address, key]);
  // The id of a deleted user may be given again, its number is not.
  const user = actor.kind === "user" ? `${actor.rid}` : "";
  const digest = hashOf(createHmac("sha256", keyOf(settings)), [user, body]);
  const running: RequestClaim = { name, owner: randomUUID(), keptUntil: now + keptMs, isWritten: false, isOver: false };
  const row = { name, digest, owner: running.owner, expires: now + leaseMs };
  if (await storage.write((tx) => insertClaim(tx, row, now))) return running;
  const found = await findClaim(storage, name);
  // The other one failed in this moment, and has written nothing.
  if (found === undefined) throw unfinished("has just failed.");
  if (found.digest !== digest && found.digest !== olderDigest(body)) fail("key-reused");
  if (found.answer !== null) {
    const text = openText(getSiteKey(settings.dataDir), found.answer, `answer ${name}`);
    if (text !== undefined) return JSON.parse(text);
  } else if (found.written === 0) throw unfinished("is still being carried out.");
  else if (found.written === 1)
    throw unfinished("was carried out, and is not answered yet. If this stays so, its answer was lost.");
  fail(
    "conflict",
    "A request with this Idempotency-Key was carried out, and its answer was not kept: it was large, or showed a secret, " +
      "which is shown once. Look at the result. If its secret is lost, delete it and use another key.",
  );
}

/** Writes that begin in `work` belong to the request. */
export function runRequest(claim: RequestClaim, work: () => void): void {
  runClaimed(claim, work);
}

function unfinished(how: string): CairnError {
  const error = new CairnError("conflict", `A request with this Idempotency-Key ${how}`);
  error.retryAfter = 1;
  return error;
}

/**
 * When nothing was written, a failed request may be carried out by a repeat. When something was, the refusal is the answer;
 * after a failure of the service nobody knows how far it came.
 */
export async function endRequest(
  { storage, settings }: App,
  running: RequestClaim,
  { answer, isSecret }: { answer: KeptAnswer | undefined; isSecret: boolean },
): Promise<void> {
  running.isOver = true;
  const isDone = answer !== undefined && answer.status < 300;
  await storage.write(async (tx) => {
    if (!isDone && (await deleteUnwrittenClaim(tx, running)) > 0) return;
    if (answer === undefined || answer.status >= 500) return;
    const text = JSON.stringify(answer);
    const isKept = !(isDone && isSecret) && text.length <= maxAnswer;
    const sealed = isKept ? sealText(getSiteKey(settings.dataDir), text, `answer ${running.name}`) : null;
    await putClaimAnswer(tx, running, { answer: sealed, expires: running.keptUntil });
  });
}

/** Bodies have passwords: with the database alone nobody can try which one it was. */
const keyOf = perInstance((settings: App["settings"]) =>
  Buffer.from(hkdfSync("sha256", getSiteKey(settings.dataDir), "", "cairn request claims", 32)),
);

/** Of claims of version 0.1.0. They end a day after the update, so a later version needs to know them no more. */
function olderDigest(body: string): string {
  return hashOf(createHash("sha256"), [body]);
}

function hashOf(made: Hash | Hmac, parts: readonly string[]): string {
  for (const part of parts) made.update(`${part.length}:${part}`);
  return made.digest("base64url");
}
