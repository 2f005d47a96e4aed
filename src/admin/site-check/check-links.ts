// Renders the pages of the site as the public gets them, and follows the links on them. Links that lead nowhere are reported with
// the pages that they stand on. For the command line: it may take long.

import { anonymous } from "#access/actor.ts";
import { siteAddress } from "#content/site-address.ts";
import { type Context, contextFor } from "#context.ts";
import type { SiteFinding } from "#contract/site.ts";
import { answerPage } from "#site/pages/answer.ts";
import type { PageAnswer, PageRequest } from "#site/pages/page-request.ts";
import { hashOfPublicFile } from "#site/pages/public-files.ts";
import { isServicePath } from "#site/pages/service-paths.ts";
import { noRecorder } from "#site/template/recorder.ts";
import { sitePaths } from "./site-paths.ts";

/** Pages that are rendered, and objects of a collection to begin with. */
const maxPages = 5_000;
const maxObjects = 1_000;
const shownPages = 3;
const maxBroken = 500;

type Report = (count: number, part?: number, whole?: number) => void;

export async function checkLinks(ctx: Context, report: Report = () => {}): Promise<SiteFinding[]> {
  const reader = contextFor(ctx, anonymous);
  /** Addresses of this site, with the pages that link to them. Links in templates may name another host. */
  const from = new Map<string, string[]>();
  const broken = new Map<string, number>();
  const own = new Set([new URL(siteAddress(ctx)).host]);
  for (const path of await sitePaths(ctx, maxObjects)) from.set(path, []);
  let count = 0;
  // New addresses are added to the map while it is walked through.
  for (const address of from.keys()) {
    if (count >= maxPages || broken.size >= maxBroken) break;
    count += 1;
    report(count, count, from.size);
    const answer = await open(reader, address);
    if (answer === undefined) continue;
    if (answer.status >= 400) broken.set(address, answer.status);
    for (const link of linksOf(answer, address, own)) {
      const pages = from.get(link);
      if (pages) pages.push(address);
      else from.set(link, [address]);
    }
  }
  const findings = [...broken].map(([address, status]) => describe(address, status, from.get(address) ?? []));
  if (count < from.size) {
    const message = `${count} pages were looked at; ${from.size - count} more addresses were not.`;
    findings.push({ level: "hint", message, cure: "Mend the links that were found first.", ...nowhere });
  }
  return findings;
}

const nowhere = { template: "", page: "", line: 0 };

function describe(address: string, status: number, pages: readonly string[]): SiteFinding {
  const different = [...new Set(pages)];
  const named = different.slice(0, shownPages).join(", ");
  const more = different.length > shownPages ? ` and ${different.length - shownPages} more` : "";
  const places = different.length === 0 ? "" : ` It is linked on ${named}${more}.`;
  const isFailing = status >= 500;
  return {
    level: "error",
    message: `${address} ${isFailing ? "cannot be shown" : "leads nowhere"} (status ${status}).${places}`,
    cure: isFailing ? `See why: cairn site:render ${address}` : "Mend the links, or make a redirect from it.",
    ...nowhere,
  };
}

/** Undefined: a file, or a door of the service. */
async function open(ctx: Context, address: string): Promise<PageAnswer | undefined> {
  const [path = "/", search = ""] = address.split("?", 2);
  if (isServicePath(path) || (await hashOfPublicFile(ctx.settings, decoded(path))) !== undefined) return undefined;
  const request: PageRequest = {
    path,
    search,
    query: new Map(new URLSearchParams(search)),
    method: "GET",
    locale: ctx.settings.get("locales")[0] ?? "en",
    wantsJson: false,
    visitor: async () => undefined,
    requestId: "check",
  };
  return answerPage(ctx, request, noRecorder);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const linked =
  /<(?:a|area|link|img|script|iframe|source|form)\b[^>]*?\s(?:href|src|action)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** Addresses of this site: path and query. */
function linksOf({ status, headers, body }: PageAnswer, address: string, own: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const base = new URL(address, "http://site.invalid").href;
  const add = (text: string) => {
    const target = URL.parse(text.replaceAll("&amp;", "&"), base);
    if (!target || !/^https?:$/.test(target.protocol)) return;
    if (target.host === "site.invalid" || own.has(target.host)) found.add(target.pathname + target.search);
  };
  const { location } = headers;
  if (status >= 300 && status < 400 && location !== undefined) add(location);
  if (status === 200 && headers["content-type"]?.startsWith("text/html"))
    for (const [, double, single] of body.matchAll(linked)) add(double ?? single ?? "");
  return found;
}
