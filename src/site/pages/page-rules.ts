// What holds for pages beyond their schema, by whichever door they are written.

import { type ErrorDetails, fail } from "#base/errors.ts";
import { type AppliedWrite, differing, type WriteRules } from "#content/write-rules.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { didYouMean } from "#rules/near-names.ts";
import { listTemplateFiles, templatePlace } from "#site/template-files.ts";
import type { Tx } from "#storage/port.ts";
import { noteUnique } from "#storage/query/indexes.ts";
import { findByValue, findDocument } from "#storage/tables/objects.ts";
import { kindOf } from "./page-headers.ts";
import { hasTemplate, pageTemplateId } from "./page-templates.ts";
import { targetProblem } from "./redirect-answer.ts";
import { parseRoute } from "./route-pattern.ts";
import { isServicePath } from "./service-paths.ts";
import { pagesCollection } from "./site-routes.ts";

/** Deeper trees are taken for circles. */
const maxDepth = 100;
const cacheForm = /^(?:auto|off|[1-9]\d{0,8})$/;
const codeProperties = ["route", "template", "draft"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const controls = /[\u0000-\u001f\u007f]/;

export function registerPageRules(app: App): void {
  const rules: WriteRules = {
    check: async (sent, source) => ({
      ...checkTexts(sent),
      ...(source === "save" && (await checkTemplate(app, sent))),
    }),
    async apply(tx, { before, after }) {
      if (!after) return;
      noteUnique(app.storage, pagesCollection, "route", "text");
      const details = {
        ...checkTarget(after.document),
        ...(await checkRoute(tx, after.document, before?.document)),
        ...(await checkParents(tx, after.document)),
      };
      if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
    },
    power: { properties: codeProperties, isIn: isCodePower },
  };
  app.rules.add(pagesCollection, rules);
}

/** A page such as `/app.js` makes a script of its template. */
function isCodePower({ before, after }: Omit<AppliedWrite, "now">): boolean {
  if (!after || kindOf(String(after.document.route ?? "")) !== "js") return false;
  return before === undefined || differing(codeProperties, before, after).length > 0;
}

function checkTexts({ route, redirectTo, canonical, cache }: JsonObject): ErrorDetails {
  const details: ErrorDetails = {};
  const note = (name: string, value: unknown, problemOf: (text: string) => string | undefined) => {
    const problem = typeof value === "string" && value !== "" ? problemOf(value) : undefined;
    if (problem !== undefined) details[name] = [problem];
  };
  note("route", route, routeProblem);
  note("redirectTo", redirectTo, targetProblem);
  note("canonical", canonical, targetProblem);
  note("cache", cache, (text) => (cacheForm.test(text) ? undefined : "must be auto, off or a number of seconds"));
  return details;
}

/** What is wrong with the route of a page; undefined when it is good. */
export function routeProblem(route: string): string | undefined {
  if (!/^\/(?![/\\])/.test(route)) return 'must begin with one "/"';
  if (controls.test(route)) return "must not hold control characters";
  // What stands in braces is a pattern, where these signs have a meaning.
  const plain = route.replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, "x");
  if (plain.includes("//")) return 'must not hold "//"';
  if (/[?#]/.test(plain)) return "must be a path without a query or fragment";
  if (plain.includes("\\")) return "must not hold a backslash";
  if (route.length > 1 && route.endsWith("/")) return 'must not end with "/"; site.trailingSlash decides about that';
  if (plain.split("/").some((segment) => segment === "." || segment === "..")) return 'must not hold "." or ".."';
  if (isServicePath(plain)) return `begins with "/${plain.split("/")[1]}", which belongs to the service`;
  try {
    parseRoute(route);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function checkTemplate(app: App, { template }: JsonObject): Promise<ErrorDetails> {
  if (typeof template !== "string" || template === "") return {};
  const id = pageTemplateId(template);
  if (await hasTemplate(app, id)) return {};
  const { folder } = templatePlace(app.settings);
  const known = (await listTemplateFiles(folder)).flatMap((file) => (file.id.startsWith("pages/") ? [file.id] : []));
  return { template: [`There is no template "${id}".${didYouMean(id, known)}`] };
}

function checkTarget({ status, redirectTo }: JsonObject): ErrorDetails {
  const needsTarget = status === 301 || status === 302;
  return needsTarget && (redirectTo ?? "") === "" ? { redirectTo: [`is required with status ${status}`] } : {};
}

/** Two pages that are not drafts must not have the same route. */
async function checkRoute(tx: Tx, after: JsonObject, before: JsonObject | undefined): Promise<ErrorDetails> {
  const { id, route, draft } = after;
  if (draft === true || typeof route !== "string" || route === "") return {};
  if (before?.route === route && before.draft === draft) return {};
  const where = { collection: pagesCollection, property: "route", exceptId: String(id), skipsDrafts: true };
  const other = await findByValue(tx, where, route);
  return other === undefined ? {} : { route: [`is the route of the page "${other}" already`] };
}

async function checkParents(tx: Tx, { id, parent }: JsonObject): Promise<ErrorDetails> {
  const way = [String(id)];
  for (let above = parent; typeof above === "string" && above !== ""; ) {
    way.push(above);
    if (above === id || way.length > maxDepth)
      return { parent: [`makes a circle of parents: ${way.slice(0, 10).join(", ")}`] };
    const row = await findDocument(tx, pagesCollection, above);
    above = row ? ((JSON.parse(row.doc) as JsonObject).parent ?? "") : "";
  }
  return {};
}
