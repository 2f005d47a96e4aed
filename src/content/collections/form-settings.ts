// The setting `forms` of a collection: which properties the public website may fill, and what follows. Pure.
// Every mistake is reported by its path. What was stored before a schema changed is read leniently.

import type { ErrorDetails } from "#base/errors.ts";
import type { FormAction, FormDefinition, FormFileRules, FormGuard } from "#contract/forms.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

const maxForms = 50;
/** Written by the service, or not part of an object's content. */
const serviceOwned = new Set(["id", "created", "modified", "updated"]);
/** Their objects are code, people or parts of the site. */
const closed = new Set([
  ...["auth", "automations", "builder-pages", "builder-page", "dataviews", "mailer", "mcp-prompt", "playground"],
]);
const fileKinds = new Set(["file", "image", "gallery", "depot"]);
const noFields = new Set([...fileKinds, "card", "deck"]);
const keys = ["enabled", "fields", "files", "access", "guard", "actions", "message", "redirect", "notify"];

export const defaultGuard: FormGuard = { links: 3, words: [], challenge: "none" };

/** The forms of a collection that can be sent; what is not valid any more is left out. */
export function readForms(settings: { forms?: Json | undefined }): Map<string, FormDefinition> {
  const forms = new Map<string, FormDefinition>();
  if (!isJsonObject(settings.forms)) return forms;
  for (const [name, form] of Object.entries(settings.forms)) if (isJsonObject(form)) forms.set(name, fillForm(form));
  return forms;
}

function fillForm(form: JsonObject): FormDefinition {
  const guard = isJsonObject(form.guard) ? form.guard : {};
  const files = isJsonObject(form.files) ? form.files : {};
  return {
    enabled: form.enabled !== false,
    fields: texts(form.fields),
    files: Object.fromEntries(Object.entries(files).map(([name, rules]) => [name, fillFiles(rules)])),
    access: form.access === "user" ? "user" : "public",
    guard: {
      links: typeof guard.links === "number" ? guard.links : defaultGuard.links,
      words: texts(guard.words),
      challenge: guard.challenge === "wait" || guard.challenge === "proof" ? guard.challenge : "none",
    },
    actions: (Array.isArray(form.actions) ? form.actions : []) as unknown as FormAction[],
    message: typeof form.message === "string" ? form.message : "",
    redirect: typeof form.redirect === "string" ? form.redirect : "",
    notify: texts(form.notify),
  };
}

function fillFiles(rules: Json): FormFileRules {
  const given = isJsonObject(rules) ? rules : {};
  const { maxBytes, max } = given;
  return {
    ...(typeof maxBytes === "number" && { maxBytes }),
    types: texts(given.types),
    max: typeof max === "number" ? max : 1,
  };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export interface FormsOf {
  id: string;
  schema: string;
  publicOperations: readonly string[];
  publicFiles?: boolean;
  forms?: Json | undefined;
}

/** What is wrong with the forms of a collection, by path such as `forms.contact.fields`. */
export function checkForms(settings: FormsOf, schema: FlatSchema): ErrorDetails {
  const details: ErrorDetails = {};
  const { forms } = settings;
  if (forms === undefined) return details;
  if (!isJsonObject(forms)) return { forms: ["must be an object of forms by name"] };
  if (closed.has(settings.id) || closed.has(settings.schema))
    return { forms: ["are not possible for this collection"] };
  const names = Object.keys(forms);
  if (names.length > maxForms) return { forms: [`must be at most ${maxForms}`] };
  for (const name of names) {
    const complain = (path: string, problem: string) => {
      const key = path === "" ? `forms.${name}` : `forms.${name}.${path}`;
      details[key] = [...(details[key] ?? []), problem];
    };
    if (!/^[a-z0-9_]+(-[a-z0-9_]+)*$/.test(name) || name.length > 60 || name === "__proto__")
      complain("", "must be named with lower-case letters, digits, _ and single hyphens");
    const form = forms[name] as Json;
    if (isJsonObject(form)) checkForm(form, { schema, settings, complain });
    else complain("", "must be an object");
  }
  return details;
}

interface Checking {
  schema: FlatSchema;
  settings: FormsOf;
  complain(path: string, problem: string): void;
}

function checkForm(form: JsonObject, checking: Checking): void {
  const { complain, schema } = checking;
  for (const key of Object.keys(form)) if (!keys.includes(key)) complain(key, "is not a setting of a form");
  if (form.enabled !== undefined && typeof form.enabled !== "boolean") complain("enabled", "must be true or false");
  if (form.access !== undefined && form.access !== "public" && form.access !== "user")
    complain("access", "must be public or user");
  if (form.message !== undefined && (typeof form.message !== "string" || form.message.length > 2_000))
    complain("message", "must be text of at most 2000 characters");
  if (form.redirect !== undefined && !isOwnPath(form.redirect))
    complain("redirect", "must be a path of this site that begins with one slash");
  const notify = form.notify ?? [];
  if (!Array.isArray(notify) || notify.length > 20 || !notify.every(isAddress))
    complain("notify", "must be a list of at most 20 e-mail addresses");
  const fields = form.fields ?? [];
  if (!Array.isArray(fields) || fields.length > 100) complain("fields", "must be a list of properties");
  else {
    if (new Set(fields).size < fields.length) complain("fields", "names a property twice");
    for (const name of fields) {
      const problem = fieldProblem(typeof name === "string" ? schema.properties.get(name) : undefined);
      if (problem) complain("fields", `${JSON.stringify(name)} ${problem}`);
    }
    if (fields.length === 0) complain("fields", "must name at least one property");
  }
  checkFiles(form, checking);
  checkGuard(form, checking);
  checkActions(form, checking);
}

function fieldProblem(property: Property | undefined): string | undefined {
  if (!property) return "is not a property of the schema";
  if (property.isPassword) return "is a password, which a form cannot take";
  if (serviceOwned.has(property.name)) return "is written by the service";
  if (fileKinds.has(property.kind.type)) return "holds files: name it in files";
  return noFields.has(property.kind.type) ? "holds objects, which a form cannot take" : undefined;
}

function checkFiles({ files = {}, guard }: JsonObject, { schema, settings, complain }: Checking): void {
  if (!isJsonObject(files)) complain("files", "must be an object by property");
  const names = isJsonObject(files) ? Object.keys(files) : [];
  if (!isJsonObject(files) || names.length === 0) return;
  if (settings.publicOperations.includes("read") || settings.publicFiles === true)
    complain("files", "are never public, but the public may read this collection");
  if (isJsonObject(guard) && (guard.challenge === "wait" || guard.challenge === "proof"))
    complain("files", "cannot be sent through a challenge");
  for (const name of names) {
    const property = schema.properties.get(name);
    const path = `files.${name}`;
    if (!property || !fileKinds.has(property.kind.type)) complain(path, "must be a property that holds files");
    if (property?.definition.settings && isOpen(property.definition.settings)) complain(path, "is not protected");
    const rules = files[name] as Json;
    if (!isJsonObject(rules)) complain(path, "must be an object");
    else checkFileRules(rules, path, complain);
  }
}

function isOpen(settings: unknown): boolean {
  return (settings as { protectedByCollection?: unknown }).protectedByCollection === false;
}

function checkFileRules(rules: JsonObject, path: string, complain: Checking["complain"]): void {
  const isCount = (value: Json | undefined, most: number) =>
    value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most);
  for (const key of Object.keys(rules))
    if (!["maxBytes", "types", "max"].includes(key)) complain(`${path}.${key}`, "is not a setting of files");
  if (!isCount(rules.maxBytes, 1e12)) complain(`${path}.maxBytes`, "must be a number of bytes");
  if (!isCount(rules.max, 20)) complain(`${path}.max`, "must be a number from 1 to 20");
  const { types = [] } = rules;
  const isType = (type: Json) => typeof type === "string" && /^[a-z0-9.+-]+\/(\*|[a-z0-9.+-]+)$/.test(type);
  if (!Array.isArray(types) || !types.every(isType))
    complain(`${path}.types`, "must be a list of content types such as application/pdf or image/*");
}

function checkGuard({ guard = {} }: JsonObject, { complain }: Checking): void {
  if (!isJsonObject(guard)) {
    complain("guard", "must be an object");
    return;
  }
  for (const key of Object.keys(guard))
    if (!["links", "words", "challenge"].includes(key)) complain(`guard.${key}`, "is not a setting of the guard");
  const { links, words = [], challenge = "none" } = guard;
  if (links !== undefined && !(Number.isInteger(links) && Number(links) >= 0 && Number(links) <= 1_000))
    complain("guard.links", "must be a number from 0 to 1000");
  const isWord = (word: Json) => typeof word === "string" && word.trim() !== "" && word.length <= 200;
  if (!Array.isArray(words) || words.length > 1_000 || !words.every(isWord))
    complain("guard.words", "must be a list of at most 1000 words");
  if (challenge !== "none" && challenge !== "wait" && challenge !== "proof")
    complain("guard.challenge", "must be none, wait or proof");
}

function checkActions({ actions = [] }: JsonObject, { schema, complain }: Checking): void {
  if (!Array.isArray(actions) || actions.length > 20) {
    complain("actions", "must be a list of at most 20 actions");
    return;
  }
  for (const [at, action] of actions.entries()) {
    const problem = isJsonObject(action) ? actionProblem(action, schema) : "must be an object";
    if (problem) complain(`actions.${at}`, problem);
  }
}

const actionKeys: Record<string, string[]> = {
  mailer: ["type", "mailerId", "replyTo"],
  webhook: ["type", "url"],
  automation: ["type", "id"],
  extension: ["type", "extension", "name"],
};

function actionProblem(action: JsonObject, schema: FlatSchema): string | undefined {
  const known = typeof action.type === "string" ? actionKeys[action.type] : undefined;
  if (!known) return "type must be mailer, webhook, automation or extension";
  const unknown = Object.keys(action).find((key) => !known.includes(key));
  if (unknown !== undefined) return `${unknown} is not a setting of this action`;
  if (action.type === "mailer") {
    if (typeof action.mailerId !== "string" || action.mailerId === "") return "mailerId must name a mail";
    const { replyTo } = action;
    if (replyTo !== undefined && !(typeof replyTo === "string" && schema.properties.has(replyTo)))
      return "replyTo must name a property of the schema";
  }
  if (action.type === "webhook" && !(typeof action.url === "string" && isWebAddress(action.url)))
    return "url must be an http or https address without credentials";
  if (action.type === "automation" && (typeof action.id !== "string" || action.id === ""))
    return "id must name an automation";
  if (action.type === "extension") {
    const isNamed = typeof action.extension === "string" && /^[a-z0-9-]+\/[a-z0-9-]+$/.test(action.extension);
    if (!isNamed) return "extension must be {vendor}/{name}";
    if (typeof action.name !== "string" || action.name === "") return "name must name an action of the extension";
  }
  return undefined;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

function isOwnPath(value: Json): boolean {
  return typeof value === "string" && (value === "" || (/^\/(?![/\\])/.test(value) && !/[\p{Cc}\\]/u.test(value)));
}

function isAddress(value: Json): boolean {
  return typeof value === "string" && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value) && value.length <= 254;
}
