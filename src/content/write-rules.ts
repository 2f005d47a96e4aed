// What holds for objects beyond their schema. The rooms that own a special collection, or a concern of all collections,
// register rules (app.ts); the write of objects runs them and knows none of these rooms. For a plain collection that costs
// a lookup. A rule never writes objects itself.

import type { Actor } from "#access/actor.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { CairnError, type ErrorDetails } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Reader, Tx } from "#storage/port.ts";
import type { Collection } from "./collections/collection.ts";
import type { Change, ObjectState } from "./objects/change.ts";

export interface WriteRules {
  /** Before the transaction: messages by property about what was sent; none: all is well. */
  check?(sent: JsonObject, source: SentBy): Promise<ErrorDetails>;
  /** Fields that a body may carry and that are not part of the object; `openChange` gets them. */
  asides?: readonly string[];
  /** Refuses callers that address a property which they may not change. */
  checkProperty?(ctx: Context, property: string): void;
  /** Before the transaction of a change: looks up what is to be known of the caller; may refuse. */
  openChange?(ctx: Context, request: ChangeRequest): ChangeRules | undefined | Promise<ChangeRules | undefined>;
  /** In the transaction of each write, under the collection's lock: what depends on other objects, or must go with it. */
  apply?(tx: Tx, write: AppliedWrite): Promise<void>;
  /** What `apply` would refuse by other objects, where the object is refused already: only reads. */
  findProblems?(db: Reader, object: RefusedObject): Promise<ErrorDetails>;
  /** In the transaction of each write, without a lock, after the object is stored. At once where there is nothing to do. */
  follow?(ctx: Context, tx: Tx, write: FollowedWrite): Promise<void> | undefined;
  /** In the transaction that changes the settings of a collection. */
  followSettings?(ctx: Context, tx: Tx, change: FollowedSettings): Promise<void> | undefined;
  serviceProperties?: ServiceProperties;
  power?: PowerRule;
  /** The properties that decide what code is run, and when. The first one holds the text. */
  code?: readonly [string, ...string[]];
  audit?: WriteAudit;
}

/** Writes that give somebody or something power: a session takes a confirmed password for them. */
export interface PowerRule {
  /** By a change of these. */
  properties: readonly string[];
  /** Also by a deletion. */
  isInDeletion?: true;
  /** Whether this write does. */
  isIn(write: Omit<AppliedWrite, "now">): boolean;
}

/** An import may bring what an object refers to after the object itself. */
export type SentBy = "save" | "import";

/** What rules have to say about one change. */
export interface ChangeRules {
  /** The change that remains. In the transaction: only computes. */
  limit?(change: Change, current: JsonObject): Change;
  /** Refuses by what was and what will be. In the transaction: only computes. */
  judge?(change: JudgedChange): void;
  /** After the commit. What the caller is to know beside the object. */
  finish?(): JsonObject | undefined;
}

export interface ChangeRequest {
  collection: Collection;
  /** Absent: the change is a row of an import, which has no rights by a caller's own record. */
  id?: string;
  sent: JsonObject;
  asides?: JsonObject | undefined;
}

export interface JudgedChange {
  collection: Collection;
  id: string;
  before: ObjectState;
  after: ObjectState;
  moved?: Change["moved"];
  isOwn?: Change["isOwn"];
  isReturn?: Change["isReturn"];
}

export interface AppliedWrite {
  actor: Actor;
  /** Absent: the object is new. */
  before?: ObjectState;
  /** Absent: the object is deleted. */
  after?: ObjectState;
  now: string;
}

export interface RefusedObject {
  /** What there is of it. */
  document: JsonObject;
  /** Absent: the object is new. */
  before?: JsonObject | undefined;
}

export interface FollowedWrite {
  collection: Collection;
  id: string;
  /** Absent: the object is new. */
  before?: JsonObject | undefined;
  /** The document as JSON text. */
  text: string;
}

export interface FollowedSettings {
  before: CollectionConfig;
  after: CollectionConfig;
}

/** Only the service writes them. What is sent for them is passed over, so that an object can come back as it was read. */
export interface ServiceProperties {
  names: readonly string[];
  /** They say how the work went in this installation and never leave it. Others come along with a trusted import. */
  areLocal: boolean;
}

/** The lines that the audit log gets, after the commit. */
export interface WriteAudit {
  /** The names of the watched properties that differ. */
  changes(before: ObjectState, after: ObjectState): string[];
  record(ctx: Context, what: "created" | "changed" | "deleted", id: string, details: JsonObject): void;
}

export interface RuleRegistry {
  add(collection: string, rules: WriteRules): void;
  addToAll(rules: WriteRules): void;
  of(collection: string): readonly WriteRules[];
}

export function createRules(): RuleRegistry {
  let general: readonly WriteRules[] = [];
  const special = new Map<string, readonly WriteRules[]>();
  const of = (collection: string) => special.get(collection) ?? general;
  return {
    of,
    add(collection, rules) {
      special.set(collection, [...of(collection), rules]);
    },
    addToAll(rules) {
      general = [...general, rules];
      for (const [collection, known] of special) special.set(collection, [...known, rules]);
    },
  };
}

type Parts = Pick<App, "rules">;

const noNames: readonly string[] = [];

/** Before the transaction. */
export async function checkSent(app: Parts, collection: string, sent: JsonObject, source?: SentBy): Promise<void> {
  const problem = await sentProblem(app, collection, sent, source);
  if (problem) throw problem;
}

/** For callers that look for more before they refuse. */
export async function sentProblem(
  { rules }: Parts,
  collection: string,
  sent: JsonObject,
  source: SentBy = "save",
): Promise<CairnError | undefined> {
  let details: ErrorDetails = {};
  for (const { check } of rules.of(collection)) if (check) details = { ...details, ...(await check(sent, source)) };
  return Object.keys(details).length > 0 ? new CairnError("validation-failed", undefined, details) : undefined;
}

/** The body without the fields that are not part of the object. Elsewhere these names are properties like any other. */
export function takeAsides(
  { rules }: Parts,
  collection: string,
  body: JsonObject,
): { body: JsonObject; asides?: JsonObject } {
  let names = noNames;
  for (const { asides } of rules.of(collection)) if (asides) names = [...names, ...asides];
  if (!names.some((name) => Object.hasOwn(body, name))) return { body };
  const asides = Object.entries(body).filter(([name]) => names.includes(name));
  return { body: without(names, body), asides: Object.fromEntries(asides) };
}

export function checkProperty(ctx: Context, collection: string, property: string): void {
  for (const rule of ctx.rules.of(collection)) rule.checkProperty?.(ctx, property);
}

export async function openChange(ctx: Context, request: ChangeRequest): Promise<readonly ChangeRules[]> {
  const opened: ChangeRules[] = [];
  for (const rule of ctx.rules.of(request.collection.id)) {
    const found = rule.openChange && (await rule.openChange(ctx, request));
    if (found) opened.push(found);
  }
  return opened;
}

/** What service properties hold stays as it is stored, unless the service makes the change. Then each rule limits the rest. */
export function limitChange(
  { ctx, collection, isTrusted, rules }: { ctx: Parts; collection: Collection; isTrusted: boolean } & Opened,
  asked: Change,
  current: JsonObject,
): Change {
  const names = serviceProperties(ctx, collection.id, isTrusted);
  let change = names.length === 0 || asked.isOwn ? asked : keep(names, asked, current);
  for (const rule of rules) change = rule.limit?.(change, current) ?? change;
  return change;
}

interface Opened {
  rules: readonly ChangeRules[];
}

function keep(names: readonly string[], change: Change, current: JsonObject): Change {
  const kept = Object.fromEntries(Object.entries(current).filter(([name]) => names.includes(name)));
  return {
    ...change,
    input: { ...without(names, change.input), ...kept },
    ...(change.changed && { changed: new Set([...change.changed].filter((name) => !names.includes(name))) }),
  };
}

/** A new object has none yet. */
export function dropServiceProperties(
  app: Parts,
  collection: string,
  sent: JsonObject,
  isTrusted: boolean,
): JsonObject {
  return without(serviceProperties(app, collection, isTrusted), sent);
}

export function localServiceProperties(app: Parts, collection: string): readonly string[] {
  return serviceProperties(app, collection, true);
}

/** The properties that only the service writes. */
export function ownServiceProperties(app: Parts, collection: string): readonly string[] {
  return serviceProperties(app, collection, false);
}

function serviceProperties({ rules }: Parts, collection: string, isLocalAlone: boolean): readonly string[] {
  let names = noNames;
  for (const { serviceProperties: own } of rules.of(collection)) {
    if (own && (own.areLocal || !isLocalAlone)) names = [...names, ...own.names];
  }
  return names;
}

function without(names: readonly string[], values: JsonObject): JsonObject {
  if (!names.some((name) => name in values)) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** Whether rules look at other objects of the collection. */
export function hasCollectionRules({ rules }: Parts, collection: string): boolean {
  for (const { apply, power } of rules.of(collection)) if (apply || power) return true;
  return false;
}

export async function applyRules({ rules }: Parts, tx: Tx, collection: string, write: AppliedWrite): Promise<void> {
  const { actor, now } = write;
  for (const rule of rules.of(collection)) {
    if (rule.power?.isIn(write)) await confirmPower({ actor, storage: tx, clock: { iso: () => now } });
    await rule.apply?.(tx, write);
  }
}

/** `names`: properties that will be sent. */
export type Ordered = { names: readonly string[] } | "deletion" | "anything";

/** For writes that are ordered now and carried out later, without the session, or one by one: asks before the first. */
export async function confirmOrder(ctx: Context, collection: string, ordered: Ordered): Promise<void> {
  for (const { power } of ctx.rules.of(collection)) if (power && isPowerOrder(power, ordered)) await confirmPower(ctx);
}

function isPowerOrder({ properties, isInDeletion }: PowerRule, ordered: Ordered): boolean {
  if (ordered === "anything") return true;
  if (ordered === "deletion") return isInDeletion === true;
  return ordered.names.some((name) => properties.includes(name));
}

export async function findRuleProblems(
  { rules }: Parts,
  db: Reader,
  collection: string,
  object: RefusedObject,
): Promise<ErrorDetails> {
  let details: ErrorDetails = {};
  for (const rule of rules.of(collection)) details = { ...details, ...(await rule.findProblems?.(db, object)) };
  return details;
}

/** After the commit; what the caller is to know beside the object. */
export function finishChange(rules: readonly ChangeRules[]): JsonObject | undefined {
  let meta: JsonObject | undefined;
  for (const rule of rules) {
    const found = rule.finish?.();
    if (found) meta = { ...meta, ...found };
  }
  return meta;
}

export function codeProperties({ rules }: Parts, collection: string): WriteRules["code"] {
  for (const { code } of rules.of(collection)) if (code) return code;
  return undefined;
}

/** Whether a change saves code; `changed`: only these were sent. Undefined: the collection holds none. */
export function savesCode(
  app: Parts,
  collection: string,
  changed: ReadonlySet<string> | undefined,
): boolean | undefined {
  const properties = codeProperties(app, collection);
  return properties && (changed === undefined || properties.some((name) => changed.has(name)));
}

/** The names of the watched properties that differ. */
export function watchedChanges(
  app: Parts,
  collection: string,
  before: ObjectState,
  after: ObjectState,
): readonly string[] {
  let names = noNames;
  for (const { audit } of app.rules.of(collection)) if (audit) names = [...names, ...audit.changes(before, after)];
  return names;
}

/** Those of the properties that differ, for a rule's `changes`. */
export function differing(names: readonly string[], before: ObjectState, after: ObjectState): string[] {
  return names.filter((name) => JSON.stringify(before.document[name]) !== JSON.stringify(after.document[name]));
}

/** After the commit. Objects of plain collections are not recorded. */
export function auditWrite(
  ctx: Context,
  what: "created" | "changed" | "deleted",
  { collection, id }: { collection: string; id: string },
  details: JsonObject = {},
): void {
  for (const { audit } of ctx.rules.of(collection)) audit?.record(ctx, what, id, details);
}
