// From the sent values to the stored ones: the id, the document, the secrets. Pure: no storage, no clock.
// All errors are reported at once.

import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { isObjectId, maxIdLength, slug, uid } from "#base/ids.ts";
import { isPasswordHash } from "#base/passwords.ts";
import { resetPatternBudget } from "#base/pattern.ts";
import { forbiddenObjectIds } from "#contract/collections.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { checkIdLength, maxMarkup } from "./bounds.ts";
import { generateId } from "./fields/autogen.ts";
import { checkKeywords } from "./fields/keywords.ts";
import { settingsOf } from "./fields/report.ts";
import { buildShape, shapePasswords } from "./fields/shape.ts";
import type { HtmlRules } from "./html/html.ts";
import type { FieldWrite, FlatSchema, Problem } from "./types.ts";

export interface BuildOptions {
  /** ISO time of the write. */
  now: string;
  created: string;
  modified: string;
  /** Import and sync: password hashes and set dates are accepted. */
  isTrusted?: boolean;
  /** The number of the object in its collection, for `oid`. */
  counter: number;
  htmlclean: HtmlRules;
  /** Passwords of `collectPasswords` -> their hashes. */
  hashes: ReadonlyMap<string, string>;
  /** The present state. */
  secrets: ObjectSecrets;
  /** The document whose files exist, usually the stored one; values about other files are dropped. */
  files: JsonObject;
  /** Only these were sent: the others keep their stored values. Absent: all were sent. */
  changed?: ReadonlySet<string>;
}

export interface Built {
  document: JsonObject;
  /** All of them, to be stored unchanged. */
  secrets: ObjectSecrets;
}

/** What was sent breaks the schema. */
export class InvalidDocument extends CairnError {
  /** What there is of it. */
  readonly document: JsonObject;

  constructor(document: JsonObject, details: ErrorDetails) {
    super("validation-failed", undefined, details);
    this.document = document;
  }
}

/** Marks (`<`, `>`, `&` and attributes) that one write may clean: a hundred milliseconds. */
const markupBudget = 50_000;
/** Tags that one write may contain, clean ones included. */
const tagBudget = 250_000;
/** Hashing is slow on purpose. */
const maxPasswords = 20;
/** Leaves room for the suffix of an id that is taken. */
const maxGeneratedLength = 180;
/** Random characters at the end of an id that must reveal nothing. */
const blindSuffix = 10;

/** `input.id` is the object's id, from `proposeId` or the path. */
export function buildDocument(schema: FlatSchema, input: JsonObject, options: BuildOptions): Built {
  const { now, created, modified, counter, hashes, secrets: stored, htmlclean, files } = options;
  const isTrusted = options.isTrusted ?? false;
  const secrets: ObjectSecrets = {};
  const problems: Problem[] = [];
  const id = checkedId(schema, input.id, problems);
  const write: FieldWrite = {
    ...{ now, created, modified, counter, isTrusted, htmlclean, hashes, stored, secrets, problems, files },
    isLenient: false,
    markupBudget,
    lengthBudget: maxMarkup,
    tagBudget,
    changed: options.changed,
  };
  resetPatternBudget();
  const document = { id, ...buildShape(schema, input, { write, prefix: "" }), created, modified };
  if (problems.length > 0) throw new InvalidDocument(document, detailsOf(problems));
  return { document, secrets };
}

function checkedId(schema: FlatSchema, id: Json | undefined, problems: Problem[]): string {
  if (typeof id !== "string" || !isObjectId(id)) throw new Error("a document is built under an id that is no id");
  const property = schema.properties.get("id");
  for (const { message } of property ? checkKeywords(id, property) : []) problems.push({ path: "id", message });
  return id;
}

function detailsOf(problems: Problem[]): ErrorDetails {
  const details = new Map<string, string[]>();
  for (const { path, message } of problems) {
    const messages = details.get(path);
    if (!messages) details.set(path, [message]);
    else if (!messages.includes(message)) messages.push(message);
  }
  return Object.fromEntries(details);
}

/** The sent id, or one made from the schema's template, the title, the name, or at random. */
export function proposeId(
  schema: FlatSchema,
  input: JsonObject,
  { now, counter }: Pick<BuildOptions, "now" | "counter">,
): { id: string; isGenerated: boolean } {
  const property = schema.properties.get("id");
  const { autogen, snakeCase } = property ? settingsOf(property) : {};
  const isSnakeCase = snakeCase === true;
  if (input.id !== undefined && input.id !== null && input.id !== "") {
    return { id: checkSentId(input.id, isSnakeCase), isGenerated: false };
  }
  const templates = ["${title}", "${name}"];
  if (typeof autogen === "string") templates.unshift(autogen);
  for (const template of templates) {
    const id = fit(generateId(template, input, { now, counter, isSnakeCase }), isSnakeCase);
    if (id !== "") return { id, isGenerated: true };
  }
  return { id: fit(uid(), isSnakeCase), isGenerated: true };
}

/**
 * An id that does not reveal whether another is taken: a sent one is ignored, and a generated one
 * ends in random characters. undefined: the schema numbers its objects, so the caller cannot influence the id.
 */
export function unguessableId(schema: FlatSchema, { id: _, ...input }: JsonObject, now: string): string | undefined {
  const property = schema.properties.get("id");
  const { autogen, snakeCase } = property ? settingsOf(property) : {};
  const template = typeof autogen === "string" ? autogen : "";
  if (/\$\{\s*oid/.test(template)) return undefined;
  const { id } = proposeId(schema, input, { now, counter: 0 });
  return /\$\{\s*uu?id/.test(template) ? id : `${id}${snakeCase === true ? "_" : "-"}${uid(blindSuffix)}`;
}

/** Dot segments, a leading slash, backslashes. A web address has none of these, and becomes a slug. */
const pathLike = /(?:^|\/)\.{1,2}(?:\/|$)|^\/|[\\\p{Cc}]/u;

/** A sent id as a slug. Refuses paths, and words that routes use. */
export function checkSentId(sent: Json, isSnakeCase = false): string {
  if (typeof sent !== "string" && typeof sent !== "number") return refuseId("The id must be text");
  checkIdLength(sent);
  const text = String(sent);
  if (pathLike.test(text)) return refuseId("The id must not contain paths or control characters");
  const id = slug(text, isSnakeCase ? "_" : "-");
  if (id === "") return refuseId("The id must contain letters or digits");
  if (id.length > maxIdLength) return refuseId(`The id must not exceed ${maxIdLength} characters`);
  if (forbiddenObjectIds.includes(id)) return refuseId(`The id "${id}" is reserved`);
  if (isSnakeCase && /^\d/.test(id)) return refuseId("The id must not start with a digit");
  return id;
}

function refuseId(message: string): never {
  return fail("validation-failed", undefined, { id: [message] });
}

/** A generated id is never refused: it is cut, or gets a suffix. */
function fit(id: string, isSnakeCase: boolean): string {
  const cut = id.slice(0, maxGeneratedLength).replace(/-$/, "");
  if (forbiddenObjectIds.includes(cut)) return `${cut}${isSnakeCase ? "_" : "-"}1`;
  return isSnakeCase && /^\d/.test(cut) ? `_${cut}` : cut;
}

/** The plain-text passwords to hash before the write. */
export function collectPasswords(schema: FlatSchema, input: JsonObject, isTrusted = false): string[] {
  const found = new Set(shapePasswords(schema, input).filter((text) => !isTrusted || !isPasswordHash(text)));
  if (found.size > maxPasswords) fail("invalid", `At most ${maxPasswords} passwords can be set at once.`);
  return [...found];
}
