// Looks through templates, routes and pages for what would fail or surprise visitors. Nothing is rendered.

import { allow } from "#access/allow.ts";
import { createPause } from "#base/event-loop.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import type { SiteFinding } from "#contract/site.ts";
import { didYouMean } from "#rules/near-names.ts";
import { isOnSite } from "#rules/on-site.ts";
import { listSiteRoutes } from "#site/pages/site-admin.ts";
import { findSiteRoutes } from "#site/pages/site-routes.ts";
import { addedFilterNames } from "#site/template/added-filters.ts";
import { parseTemplate } from "#site/template/template-store.ts";
import { listTemplateFiles, readTemplateFile, templatePlace } from "#site/template-files.ts";
import { checkForms, checkShownForms } from "./check-forms.ts";
import { checkHosts } from "./check-hosts.ts";
import { checkMarkup, lineAt } from "./check-markup.ts";

/** Mails and prompts have a language of their own. */
const siteFolders = /^(?:pages|layouts|partials|forms)\//;
const levels = ["error", "warning", "hint"];
/** A site that is wrong everywhere says so with fewer. */
const maxFindings = 1_000;

export async function checkSite(ctx: Context): Promise<SiteFinding[]> {
  allow(ctx, "read", { kind: "templates" });
  const { routes } = await listSiteRoutes(ctx);
  const findings: SiteFinding[] = [
    ...(await checkTemplates(ctx)),
    ...(await checkForms(ctx)),
    ...(await checkHosts(ctx)),
  ];
  for (const { kind, id, route, problem, clashes } of routes) {
    const about = { template: "", page: kind === "page" ? id : "", line: 0 };
    // Objects of a collection may be shown by a page, or by another server.
    if (problem !== "" && kind === "page") {
      const message = `The page "${id}" cannot answer: ${problem}`;
      findings.push({
        ...about,
        level: "error",
        message,
        cure: "Choose a template that exists and a route that can be used.",
      });
    }
    if (clashes.length > 0 && kind === "page") {
      const message = `The route ${route} of the page "${id}" fits the same addresses as ${clashes.join(", ")}.`;
      findings.push({ ...about, level: "warning", message, cure: "Give them different literal segments." });
    }
  }
  const { byStatus } = await findSiteRoutes(ctx);
  if (routes.length > 0 && !byStatus.has(404)) {
    const cure = "Make a page with status 404; without one a built-in page answers.";
    findings.push({
      level: "hint",
      message: "There is no page for status 404.",
      cure,
      template: "",
      page: "",
      line: 0,
    });
  }
  return worstFirst(findings);
}

export function worstFirst(findings: readonly SiteFinding[]): SiteFinding[] {
  const sorted = findings.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  return sorted.slice(0, maxFindings);
}

async function checkTemplates(ctx: Context): Promise<SiteFinding[]> {
  const { folder } = templatePlace(ctx.settings);
  const ids = (await listTemplateFiles(folder)).map(({ id }) => id);
  const known = new Set(ids);
  const filters = await addedFilterNames(ctx);
  const pause = createPause();
  const findings: SiteFinding[] = [];
  for (const id of ids.filter((one) => siteFolders.test(one))) {
    const stored = await readTemplateFile(folder, id);
    if (stored) {
      findings.push(...checkParts(id, stored.text, { known, filters }), ...checkMarkup(id, stored.text));
      findings.push(
        ...(await checkCollections(ctx, id, stored.text)),
        ...(await checkShownForms(ctx, id, stored.text)),
      );
    }
    await pause();
  }
  return findings;
}

/** Its own language, and the templates that it names. */
function checkParts(
  id: string,
  text: string,
  { known, filters }: { known: ReadonlySet<string>; filters: ReadonlySet<string> },
): SiteFinding[] {
  const about = { level: "error" as const, template: id, page: "" };
  const findings: SiteFinding[] = [];
  const need = (name: string, line: number) => {
    if (known.has(name) || name.startsWith("ext/")) return;
    const message = `There is no template "${name}".${didYouMean(name, known)}`;
    findings.push({ ...about, message, cure: "Make it, or name another one.", line });
  };
  try {
    const { layout } = parseTemplate(id, text, true, filters);
    if (typeof layout === "string" && layout !== "none") need(withFolder("layouts", layout), 1);
  } catch (error) {
    const { message, line = 0 } = error as Error & { line?: number };
    findings.push({ ...about, message: `The template is not valid: ${message}`, cure: "Mend it in the editor.", line });
  }
  for (const match of text.matchAll(/\{%-?\s*render\s+["']([\w./-]+)["']/g))
    need(withFolder("partials", match[1] as string), lineAt(text, match.index));
  return findings;
}

function withFolder(folder: string, name: string): string {
  return name.startsWith(`${folder}/`) || name.startsWith("ext/") ? name : `${folder}/${name}`;
}

/** What a template reads and the site may not show. */
async function checkCollections(ctx: Context, id: string, text: string): Promise<SiteFinding[]> {
  const findings: SiteFinding[] = [];
  for (const match of text.matchAll(/\{%-?\s*(?:query|get)\s+\w+\s+from\s+["']([\w-]+)["']/g)) {
    const name = match[1] as string;
    const collection = await findCollection(ctx, name);
    if (collection && isOnSite(collection)) continue;
    const message = collection
      ? `The template reads the collection "${name}", which is not on the site.`
      : `The template reads the collection "${name}", which does not exist.`;
    const cure = collection ? `Switch on "On the site" in its settings.` : "Make it, or name another one.";
    findings.push({ level: "warning", message, cure, template: id, page: "", line: lineAt(text, match.index) });
  }
  return findings;
}
