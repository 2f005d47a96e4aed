// What an extension adds and may do, in sentences with switches; the fingerprint that an operator approves, and what a new
// version asks for beyond it. Pure.

import { createHash } from "node:crypto";
import type { Capability, ContributionKind, ExtensionSource, Manifest, OfferAccess } from "#contract/extensions.ts";

/** What was approved: names of capabilities, and for packages and uploads the version. */
export interface Approval {
  fingerprint: string;
  capabilities: string[];
}

type Plain = Omit<Capability, "on">;

/** Permissions first, then contributions, in the order of the manifest. */
export function capabilitiesOf(manifest: Manifest): Plain[] {
  return [...permissionsOf(manifest), ...contributionsOf(manifest)];
}

function permissionsOf({ permissions }: Manifest): Plain[] {
  const may = (name: string, about: string, sensitive: boolean): Plain => ({
    name,
    kind: "permission",
    about,
    sensitive,
  });
  const all = Object.entries(permissions.collections).map(([collection, operations]) =>
    may(
      `collections:${collection}:${[...operations].sort().join("+")}`,
      `May ${operations.join(", ")} objects of ${collection === "*" ? "every collection" : `"${collection}"`}`,
      collection === "*",
    ),
  );
  const { hosts, mail, files, jobs, print, cookies } = permissions;
  return [
    ...all,
    ...hosts.map((host) => may(`hosts:${host}`, `May call ${host}`, true)),
    ...(mail ? [may("mail", "May send mails that the mailer holds", false)] : []),
    ...(files ? [may("files", "May read and save files of objects", false)] : []),
    ...(jobs ? [may("jobs", "May queue work for later", false)] : []),
    ...(print ? [may("print", "May print HTML on the site that is not cleaned, scripts included", true)] : []),
    ...(cookies ? [may("cookies", "May set cookies of visitors, with names that begin with cx-", true)] : []),
  ];
}

function contributionsOf({ id, contributes, runtime }: Manifest): Plain[] {
  const adds = (kind: ContributionKind, name: string, about: string, sensitive = false): Plain => ({
    name: `${kind}:${name}`,
    kind,
    about,
    sensitive,
  });
  const own = (frame: boolean | undefined) => runtime === "node" && frame !== true;
  const c = contributes;
  return [
    ...c.routes.map((r) =>
      adds("routes", r.name, `${r.method} /api/ext/${id}${r.path}, for ${callersOf[r.access]}`, r.access === "public"),
    ),
    ...c.siteRoutes.map((r) => adds("siteRoutes", r.name, `${r.method} ${r.path} of the website`, true)),
    ...c.fields.map((f) =>
      adds("fields", f.kind, `The field kind "${f.kind}"`, own(f.frame) && f.element !== undefined),
    ),
    ...c.adminPages.map((p) => adds("adminPages", p.name, `The admin page "${p.title}"`, own(p.frame))),
    ...c.tools.map((t) =>
      adds("tools", t.name, `The tool ${t.name} for AI clients${offeredTo(t.access)}`, t.readOnly !== true),
    ),
    ...c.resources.map((r) =>
      adds("resources", r.name, `The resource ${r.uri} for AI clients${offeredTo(r.access)}`, r.access === "public"),
    ),
    ...c.prompts.map((p) => adds("prompts", p.name, `The prompt ${p.name} for AI clients${offeredTo(p.access)}`)),
    ...c.filters.map((f) => adds("filters", f.name, `The template filter ${f.name}`)),
    ...c.commands.map((k) => adds("commands", k.name, `The command cairn ${k.name}`)),
    ...c.reactions.map((r) => adds("reactions", r.name, `Hears of ${r.events.join(", ")}${inOf(r.collections)}`)),
    ...c.checks.map((k) => adds("checks", k.name, `May refuse or change what is saved${inOf(k.collections)}`, true)),
    ...c.schedules.map((s) =>
      adds("schedules", s.name, s.cron ? `Runs by the schedule ${s.cron}` : "Runs queued work"),
    ),
    ...c.formActions.map((f) => adds("formActions", f.name, `The form action "${f.title}"`)),
    ...c.formGuards.map((f) => adds("formGuards", f.name, "Judges what visitors send by forms", true)),
    ...c.pageSteps.map((p) => adds("pageSteps", p.name, `Decides how pages are shown: "${p.title}"`, true)),
    ...c.searchProviders.map((s) => adds("searchProviders", s.name, `Answers searches${inOf(s.collections)}`, true)),
    ...(c.schemas.length > 0 ? [adds("schemas", "all", `Schemas: ${c.schemas.join(", ")}`)] : []),
    ...(c.templates ? [adds("templates", "all", "Templates of its own")] : []),
    ...(c.assets ? [adds("assets", "all", "Files that everybody can download")] : []),
  ];
}

const callersOf = {
  public: "everybody",
  user: "users who are signed in",
  group: "groups that hold this extension",
  key: "API keys",
  admin: "administrators",
};

function offeredTo(access: OfferAccess | undefined): string {
  return access === undefined || access === "group" ? "" : ` of ${callersOf[access]}`;
}

function inOf(collections: readonly string[] | undefined): string {
  if (collections === undefined || collections.includes("*")) return " in every collection";
  return ` in ${collections.join(", ")}`;
}

/** Of what it asks for; of packages and uploads, which others can change, also of the version. */
export function fingerprintOf(manifest: Manifest, source: ExtensionSource): string {
  const version = source === "package" || source === "data" ? manifest.version : "";
  const asked = [manifest.id, manifest.runtime, version, ...askedBy(manifest)];
  return createHash("sha256").update(asked.join("\n")).digest("hex").slice(0, 32);
}

/** The names that an approval holds. Names of contributions alone do not say what a route opens or a check sees. */
export function askedBy(manifest: Manifest): string[] {
  const { routes, reactions, checks, searchProviders, tools, resources, prompts } = manifest.contributes;
  const opened = (kind: string, all: readonly { name: string; access?: OfferAccess; scope?: string }[]) =>
    all.map(({ name, access = "group", scope = "" }) => `${kind}:${name}:${access}:${scope}`);
  const more = [
    ...opened("tool", tools),
    ...opened("resource", resources),
    ...opened("prompt", prompts),
    ...routes.map((r) => `route:${r.name}:${r.method}:${r.access}:${r.scope ?? ""}`),
    ...reactions.map(
      (r) => `reaction:${r.name}:${[...r.events].sort().join("+")}:${(r.collections ?? ["*"]).join("+")}`,
    ),
    ...checks.map((k) => `check:${k.name}:${[...k.operations].sort().join("+")}:${k.collections.join("+")}`),
    ...searchProviders.map((s) => `search:${s.name}:${s.collections.join("+")}`),
    ...(manifest.runtime === "node" ? ["runtime:node"] : []),
  ];
  return [...capabilitiesOf(manifest).map(({ name }) => name), ...more].sort();
}

/** What the manifest asks for and the approval does not hold. */
export function beyond(manifest: Manifest, source: ExtensionSource, approval: Approval | undefined): string[] {
  if (approval?.fingerprint === fingerprintOf(manifest, source)) return [];
  const held = new Set(approval?.capabilities ?? []);
  const more = askedBy(manifest).filter((name) => !held.has(name));
  const isOthers = source === "package" || source === "data";
  return more.length > 0 || !isOthers ? more : [`version:${manifest.version}`];
}
