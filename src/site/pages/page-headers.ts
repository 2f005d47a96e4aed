// Content types of pages and the headers that each of them carries.

import { isDirective, policySources } from "#base/content-policy.ts";
import type { Settings } from "#config/config.ts";
import type { Rendered } from "#site/template/render-page.ts";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
};

/** Kinds that a browser may run scripts in. */
const active = new Set(["html", "svg", "xml", "rss"]);

/** By the ending of the route; a route without one is HTML. */
export function kindOf(route: string): string {
  const ending = /\.([a-z]+)$/.exec(route)?.[1] ?? "html";
  return Object.hasOwn(types, ending) ? ending : "html";
}

interface Shown {
  kind: string;
  locale: string;
  isPrivate: boolean;
  isNoindex: boolean;
  /** Nothing that is not public yet leaves a trace. */
  isPreview?: boolean;
}

export function pageHeaders(
  settings: Settings,
  { kind, locale, isPrivate, isNoindex, isPreview }: Shown,
  { scripts, styles }: Pick<Extract<Rendered, { kind: "page" }>, "scripts" | "styles">,
): Record<string, string> {
  const isUnready = isPreview || settings.get("environment") === "development";
  const isClosed = isUnready || !settings.get("site.indexed");
  return {
    "content-type": types[kind] ?? "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    vary: "Accept",
    ...(locale !== "" && { "content-language": locale.replace("_", "-") }),
    "cache-control": isUnready ? "no-store" : isPrivate ? "private, no-store" : cacheControl(settings),
    "referrer-policy": isUnready ? "no-referrer" : "strict-origin-when-cross-origin",
    ...(active.has(kind) && {
      "content-security-policy": policy(settings, scripts, styles),
      "permissions-policy": "camera=(), microphone=(), geolocation=()",
    }),
    ...((isClosed || isNoindex) && { "x-robots-tag": isClosed ? "noindex, nofollow" : "noindex" }),
  };
}

function cacheControl(settings: Settings): string {
  const [own, shared] = [settings.get("site.maxAge"), settings.get("site.sharedMaxAge")];
  const parts = ["public", `max-age=${own}`];
  if (shared > 0) parts.push(`s-maxage=${shared}`);
  else parts.push("must-revalidate");
  return parts.join(", ");
}

/** The directives of `site.csp` replace the defaults; hashes of the page's own inline code are added to both. */
function policy(settings: Settings, scripts: readonly string[], styles: readonly string[]): string {
  const frames = settings.get("htmlclean.allowedIframeDomains");
  const directives: Record<string, string> = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data:",
    "media-src": "'self'",
    "frame-src": frames.length === 0 ? "'none'" : frames.join(" "),
    "connect-src": "'self'",
    "form-action": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'self'",
  };
  for (const [name, value] of Object.entries(settings.get("site.csp"))) {
    const sources = isDirective(name) ? policySources(value) : undefined;
    if (sources === null) delete directives[name];
    else if (sources !== undefined) directives[name] = sources;
  }
  addHashes(directives, "script-src", scripts);
  addHashes(directives, "style-src", styles);
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join("; ");
}

/** Beside a hash, browsers pass over 'unsafe-inline'. */
function addHashes(directives: Record<string, string>, name: string, hashes: readonly string[]): void {
  const sources = directives[name];
  if (sources === undefined || hashes.length === 0 || sources.includes("'unsafe-inline'")) return;
  const own = sources === "'none'" ? "" : sources;
  directives[name] = `${own} ${[...new Set(hashes)].map((hash) => `'${hash}'`).join(" ")}`.trim();
}
