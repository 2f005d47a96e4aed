// A form of the website that was sent: judged, then stored as an object by the ordinary way, as the form. What is judged to
// be spam is answered like a success and kept among the rejected. Files wait in the staging area until the object is stored.

import { counterName } from "#access/counters.ts";
import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { createObject } from "#content/objects/objects.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { RejectReason } from "#contract/forms.ts";
import type { JsonObject } from "#contract/json.ts";
import { checkChallenge, contentHash, isProof, judge, makeChallenge, trapNames } from "#site/forms/form-guard.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Tx } from "#storage/port.ts";
import { hastenJob } from "#storage/tables/jobs.ts";
import { insertReject } from "#storage/tables/site/form-rejects.ts";
import {
  countContent,
  countOnce,
  countSending,
  countStored,
  countWithin,
  type Once,
  onceOfChallenge,
  onceOfContent,
  RepeatedSending,
  wasSent,
} from "./count-sendings.ts";
import { queueActions } from "./form-actions.ts";
import { discardFiles, type SentFile, saveFiles, takeFiles } from "./form-files.ts";
import { hasGuards, isGuarded } from "./form-guards.ts";
import type { OpenForm } from "./open-form.ts";
import { readFields, type SentFields } from "./sent-values.ts";

const awaitFilesMs = 60_000;
/** Of one form. */
const maxRejectedBytes = 10_000_000;

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

export async function sendForm(app: App, form: OpenForm, sending: Sending): Promise<SendOutcome> {
  try {
    return await receive(app, form, sending);
  } finally {
    await discardFiles(app, sending.files);
  }
}

async function receive(app: App, form: OpenForm, sending: Sending): Promise<SendOutcome> {
  const { definition, collection, id } = form;
  const { fields, files } = sending;
  const traps = trapNames(app);
  const values = sending.values
    ? pick(sending.values, definition.fields)
    : readFields(collection.schema, definition.fields, fields);
  const unknown = unknownFields(form, sending, traps);
  if (unknown.length > 0)
    throw refusal(values, Object.fromEntries(unknown.map((name) => [name, ["is not part of this form"]])));
  const content = contentHash(id, { ...values, ...digests(files) });
  const isTrapped = traps.some((name) => fields.get(name)?.some((text) => text !== "") ?? false);
  const judged = { values, content, isTrapped };
  // Most sendings: nothing has to be asked between counting and storing.
  const isPlain = !isTrapped && files.length === 0 && definition.guard.challenge === "none";
  if (isPlain && judge(values, definition.guard) === undefined && !(await hasGuards(app)))
    return storePlain(app, form, sending, judged);
  return judgeAndStore(app, form, sending, judged);
}

interface Judged {
  values: JsonObject;
  /** Its hash. */
  content: string;
  isTrapped: boolean;
}

function storedBy({ definition }: OpenForm): SendOutcome {
  return { kind: "stored", message: definition.message, redirect: definition.redirect };
}

/** Counted in the transaction of the object, so one commit does for both. What is not stored is counted by itself. */
async function storePlain(
  app: App,
  form: OpenForm,
  { address }: Sending,
  { values, content }: Judged,
): Promise<SendOutcome> {
  const once = onceOfContent(content);
  try {
    await store(app, form, { values, files: [], address, first: countWithin(app, form, { address, once }) });
  } catch (error) {
    if (error instanceof RepeatedSending || isMendable(error)) await countSending(app, form, address);
    await rejectRepeated(app, form, { values, once, error });
  }
  return storedBy(form);
}

async function judgeAndStore(app: App, form: OpenForm, sending: Sending, judged: Judged): Promise<SendOutcome> {
  const { definition, id } = form;
  const { fields, files, address } = sending;
  const { values, content, isTrapped } = judged;
  await countSending(app, form, address);
  const token = fields.get(ownFields.challenge)?.[0] ?? "";
  const challenge = token === "" ? undefined : checkChallenge(app, content, token);
  const once = challenge === "passed" ? onceOfChallenge(token) : onceOfContent(content);
  const reason: RejectReason | undefined = isTrapped
    ? "trap"
    : (await wasSent(app, once))
      ? "repeated"
      : (judge(values, definition.guard) ??
        ((await isGuarded(app, { form: id, values, address })) ? "guard" : undefined));
  if (reason !== undefined) {
    await reject(app, id, { reason, values, once });
    return storedBy(form);
  }
  if (definition.guard.challenge !== "none" && challenge !== "passed") {
    const isProven = definition.guard.challenge === "proof" && (await takeProof(app, form, fields));
    if (!isProven) {
      const kept = challenge === "early" ? token : makeChallenge(app, content);
      return { kind: "challenge", token: kept, isEarly: challenge === "early", values };
    }
  }
  try {
    await store(app, form, { values, files, address, first: (tx) => countStored(tx, app, once) });
  } catch (error) {
    await rejectRepeated(app, form, { values, once, error });
  }
  return storedBy(form);
}

/** Of two at the same moment one is stored. Any other error is thrown. */
async function rejectRepeated(
  app: App,
  { id }: OpenForm,
  { values, once, error }: { values: JsonObject; once: Once; error: unknown },
): Promise<void> {
  if (error instanceof RepeatedSending) await reject(app, id, { reason: "repeated", values, once });
  else throw isMendable(error) ? new RefusedSending(values, error) : error;
}

function isMendable(error: unknown): error is CairnError {
  return error instanceof CairnError && error.status < 500 && error.status !== 429;
}

interface Stored {
  values: JsonObject;
  files: SentFile[];
  address: string;
  /** Before the object, in its transaction. */
  first?: ((tx: Tx) => Promise<void>) | undefined;
}

/** As the form: with history, events, and whatever else follows a write. */
export async function store(
  app: App,
  { id, collection, definition }: OpenForm,
  { values, files, address, first }: Stored,
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
    const answer = await createObject(ctx, collection.id, values, {
      ...(first && { first }),
      ...(hasActions && { within }),
    });
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

/** Each proof counts once. */
async function takeProof(app: App, { id }: OpenForm, fields: SentFields): Promise<boolean> {
  const proof = fields.get(ownFields.proof)?.[0] ?? "";
  if (!isProof(app, id, proof)) return false;
  return countOnce(app, counterName("form-proof", proof));
}

/** Its content counts as sent. It is not what the request asks for: that would be an object. */
async function reject(
  app: App,
  form: string,
  { reason, values, once }: { reason: RejectReason; values: JsonObject; once: Once },
): Promise<void> {
  const row = { id: uuid(), form, reason, content: JSON.stringify(values), created: app.clock.iso() };
  const work = async (tx: Tx) => {
    await countContent(tx, app, once);
    await insertReject(tx, row, maxRejectedBytes);
  };
  await unclaimed(() => app.storage.write(work));
}

/** For a caller that needs the session of the visitor. */
export function requireVisitor({ definition }: OpenForm, isSignedIn: boolean): void {
  if (definition.access === "user" && !isSignedIn) fail("unauthenticated");
}
