// A form of the website that was sent: judged, then stored as an object by the ordinary way, as the form. What is judged to
// be spam is answered like a success and kept among the rejected. Files wait in the staging area until the object is stored.

import { counterName } from "#access/counters.ts";
import { CairnError, type ErrorDetails, fail, rateLimited } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { networkOf } from "#base/net/addresses.ts";
import { createObject } from "#content/objects/objects.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { RejectReason } from "#contract/forms.ts";
import type { JsonObject } from "#contract/json.ts";
import { checkChallenge, contentHash, isProof, judge, makeChallenge, trapNames } from "#site/forms/form-guard.ts";
import type { Tx } from "#storage/port.ts";
import { addToCounter, deleteCounter, findCounter } from "#storage/tables/counters.ts";
import { hastenJob } from "#storage/tables/jobs.ts";
import { deleteOldRejects, insertReject } from "#storage/tables/site/form-rejects.ts";
import { queueActions } from "./form-actions.ts";
import { discardFiles, type SentFile, saveFiles, takeFiles } from "./form-files.ts";
import { isGuarded } from "./form-guards.ts";
import type { OpenForm } from "./open-form.ts";
import { readFields, type SentFields } from "./sent-values.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const repeatMs = 600_000;
const proofMs = 31 * 86_400_000;
const awaitFilesMs = 60_000;
const keepRejectsMs = 14 * 86_400_000;

/** Fields of the form itself, beside those of the object. */
export const ownFields = { page: "_page", challenge: "_challenge", proof: "_proof", csrf: "csrf_token" } as const;

export interface Sending {
  /** Of a browser's form; a JSON body comes as `values`. */
  fields: SentFields;
  values?: JsonObject | undefined;
  files: SentFile[];
  address: string;
}

export type SendOutcome =
  | { kind: "stored"; message: string; redirect: string }
  /** A second page with one button; it carries the values and this token. */
  | { kind: "challenge"; token: string; isEarly: boolean; values: JsonObject };

/** A sending that can be mended: what was typed, and what is wrong with it. */
export class RefusedSending extends Error {
  readonly values: JsonObject;
  readonly cause: CairnError;

  constructor(values: JsonObject, cause: CairnError) {
    super(cause.message);
    this.values = values;
    this.cause = cause;
  }

  get details(): ErrorDetails {
    return this.cause.details ?? {};
  }
}

/** Before anything is read: refuses an address that has sent too often. */
export async function checkLimits(app: App, form: OpenForm, address: string): Promise<void> {
  const now = app.clock.now();
  for (const { name, limit } of limitsOf(app, form, address)) {
    const known = await findCounter(app.storage, name, now);
    if (known && known.count >= limit) throw tooMany(known.expires - now);
  }
}

export async function sendForm(app: App, form: OpenForm, sending: Sending): Promise<SendOutcome> {
  try {
    return await receive(app, form, sending);
  } finally {
    await discardFiles(app, sending.files);
  }
}

async function receive(app: App, form: OpenForm, sending: Sending): Promise<SendOutcome> {
  const { definition, collection, id } = form;
  const { fields, files, address } = sending;
  const traps = trapNames(app);
  const values = sending.values
    ? pick(sending.values, definition.fields)
    : readFields(collection.schema, definition.fields, fields);
  const unknown = unknownFields(form, sending, traps);
  if (unknown.length > 0)
    throw refusal(values, Object.fromEntries(unknown.map((name) => [name, ["is not part of this form"]])));
  const content = contentHash(id, { ...values, ...digests(files) });
  const token = fields.get(ownFields.challenge)?.[0] ?? "";
  const challenge = token === "" ? undefined : checkChallenge(app, content, token);
  const isRepeat = await count(app, form, { address, content, token: challenge === "passed" ? token : undefined });
  const done: SendOutcome = { kind: "stored", message: definition.message, redirect: definition.redirect };

  const isSpam = (sending: Parameters<typeof isGuarded>[1]) =>
    isGuarded(app, sending).catch(async (error) => {
      // Sent again later, it is no repetition.
      await forgetContent(app, content);
      throw error;
    });
  const isTrapped = traps.some((name) => fields.get(name)?.some((text) => text !== "") ?? false);
  const reason: RejectReason | undefined = isTrapped
    ? "trap"
    : isRepeat
      ? "repeated"
      : (judge(values, definition.guard) ?? ((await isSpam({ form: id, values, address })) ? "guard" : undefined));
  if (reason !== undefined) {
    await reject(app, id, reason, values);
    return done;
  }
  try {
    if (definition.guard.challenge !== "none" && challenge !== "passed") {
      const isProven = definition.guard.challenge === "proof" && (await takeProof(app, form, fields));
      if (!isProven) {
        await forgetContent(app, content);
        const kept = challenge === "early" ? token : makeChallenge(app, content);
        return { kind: "challenge", token: kept, isEarly: challenge === "early", values };
      }
    }
    await store(app, form, { values, files, address });
    return done;
  } catch (error) {
    await forgetContent(app, content);
    if (error instanceof CairnError && error.status < 500 && error.status !== 429)
      throw new RefusedSending(values, error);
    throw error;
  }
}

/** As the form: with history, events, and whatever else follows a write. */
export async function store(
  app: App,
  { id, collection, definition }: OpenForm,
  { values, files, address }: { values: JsonObject; files: SentFile[]; address: string },
): Promise<string> {
  const ctx: Context = contextFor(app, { kind: "form", id }, { address, requestId: uuid() });
  const accepted = await takeFiles(ctx, { collection, rules: definition.files }, files);
  try {
    let job = "";
    // Actions see the object with its files. When saving them fails or is cut off, actions follow all the same.
    const runAt = accepted.length === 0 ? undefined : new Date(app.clock.now() + awaitFilesMs).toISOString();
    const within = async (tx: Tx, object: string) => {
      job = await queueActions(tx, { form: id, object, definition, runAt });
    };
    const hasActions = definition.actions.length + definition.notify.length > 0;
    const answer = await createObject(ctx, collection.id, values, hasActions ? { within } : {});
    await saveFiles(ctx, { collection: collection.id, id: answer.id }, accepted);
    if (hasActions && runAt !== undefined) await app.storage.write((tx) => hastenJob(tx, job, app.clock.iso()));
    return answer.id;
  } finally {
    await discardFiles(
      app,
      accepted.map(({ file }) => file),
    );
  }
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function unknownFields({ definition }: OpenForm, sending: Sending, traps: readonly string[]): string[] {
  const own: readonly string[] = Object.values(ownFields);
  const isKnown = (name: string) =>
    definition.fields.includes(name.replace(/\[\]$/, "")) || own.includes(name) || traps.includes(name);
  const names = sending.values ? Object.keys(sending.values) : [...sending.fields.keys()];
  const files = sending.files.map(({ field }) => field).filter((name) => !Object.hasOwn(definition.files, name));
  return [...names.filter((name) => !isKnown(name)), ...files];
}

function refusal(values: JsonObject, details: ErrorDetails): RefusedSending {
  return new RefusedSending(values, new CairnError("validation-failed", undefined, details));
}

function digests(files: readonly SentFile[]): JsonObject {
  return Object.fromEntries(files.map(({ field, staged }, at) => [`${field} ${at}`, staged.digest]));
}

interface Limit {
  name: string;
  limit: number;
  windowMs: number;
}

function limitsOf({ settings }: Pick<App, "settings">, { id }: OpenForm, address: string): Limit[] {
  const limit = settings.get("forms.rateLimit");
  if (limit === 0) return [];
  const what = `${id} ${networkOf(address) ?? address}`;
  return [
    { name: counterName("form-minute", what), limit, windowMs: minuteMs },
    { name: counterName("form-hour", what), limit: limit * 6, windowMs: hourMs },
  ];
}

/** In one transaction: the sending for its address, and its content. True: the same was sent a moment ago. */
async function count(
  app: App,
  form: OpenForm,
  { address, content, token }: { address: string; content: string; token: string | undefined },
): Promise<boolean> {
  const now = app.clock.now();
  const over = await app.storage.write(async (tx) => {
    for (const { name, limit, windowMs } of limitsOf(app, form, address)) {
      const counted = await addToCounter(tx, name, { amount: 1, now, windowMs });
      if (counted.count > limit) return { waitMs: counted.expires - now, isRepeat: false };
    }
    // The second page of a challenge brings the same again, once.
    const name = token === undefined ? repeatName(content) : counterName("form-challenge", token);
    const repeated = await addToCounter(tx, name, { amount: 1, now, windowMs: token ? proofMs : repeatMs });
    return { waitMs: undefined, isRepeat: repeated.count > 1 };
  });
  if (over.waitMs !== undefined) throw tooMany(over.waitMs);
  return over.isRepeat;
}

function repeatName(content: string): string {
  return counterName("form-content", content);
}

/** What was not stored may be sent again. */
async function forgetContent({ storage }: App, content: string): Promise<void> {
  await storage.write((tx) => deleteCounter(tx, repeatName(content)));
}

/** Each proof counts once. */
async function takeProof(app: App, { id }: OpenForm, fields: SentFields): Promise<boolean> {
  const proof = fields.get(ownFields.proof)?.[0] ?? "";
  if (!isProof(app, id, proof)) return false;
  const now = app.clock.now();
  const used = await app.storage.write((tx) =>
    addToCounter(tx, counterName("form-proof", proof), { amount: 1, now, windowMs: proofMs }),
  );
  return used.count === 1;
}

function tooMany(waitMs: number): CairnError {
  return rateLimited(waitMs, "The form was sent too often. Try again later.");
}

async function reject(app: App, form: string, reason: RejectReason, values: JsonObject): Promise<void> {
  const now = app.clock.now();
  const row = { id: uuid(), form, reason, content: JSON.stringify(values), created: new Date(now).toISOString() };
  await app.storage.write(async (tx) => {
    await insertReject(tx, row);
    await deleteOldRejects(tx, new Date(now - keepRejectsMs).toISOString());
  });
}

/** For a caller that needs the session of the visitor. */
export function requireVisitor({ definition }: OpenForm, isSignedIn: boolean): void {
  if (definition.access === "user" && !isSignedIn) fail("unauthenticated");
}
