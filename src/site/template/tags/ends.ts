// Tags that end the page or speak to the browser: redirect, abort, header; and code of the template with its hash.

import { hash } from "node:crypto";
import type { Template } from "liquidjs";
import { type Arguments, registerTag, type SiteTag, type TagRun } from "#site/template/define.ts";
import { PageEnd } from "#site/template/errors.ts";
import { attributes } from "#site/template/filters/images.ts";
import { textOf } from "#site/template/html-value.ts";

const redirects = [301, 302, 303, 307, 308];
const maxHeader = 2_000;
/** Web servers and browsers act on these. */
const refusedHeaders =
  /^x-(?:accel-|sendfile|lighttpd-|litespeed-|content-type-options|frame-options|xss-protection|forwarded|real-ip|request-id|robots-tag$|api-key|csrf)/;
/** Only stricter than any page's own. */
const strictCaching = /^(?:(?:no-store|no-cache|private|must-revalidate|max-age=0)(?:,\s*|$))+$/;

const redirectTag: SiteTag<Arguments> = {
  parse: (source) => source.readArguments([]),
  *render(args, run) {
    const { values } = yield* run.arguments(args);
    const target = textOf(values[0]);
    const status = values[1] === undefined ? 302 : Number(textOf(values[1]));
    if (!redirects.includes(status)) throw new Error(`A redirect has one of the status ${redirects.join(", ")}`);
    if (!isTarget(target)) throw new Error(`"${target}" is neither a path of this site nor an address with http`);
    throw new PageEnd({ kind: "redirect", target, status });
  },
};

/** A path with one slash, or http(s). Never what a browser could take for another host. */
function isTarget(target: string): boolean {
  if (/[\p{Cc}\\\s]/u.test(target)) return false;
  return /^\/(?!\/)/.test(target) || (/^https?:\/\/[^/]/i.test(target) && URL.canParse(target));
}

const abortTag: SiteTag<Arguments> = {
  parse: (source) => source.readArguments([]),
  *render(args, run) {
    const { values } = yield* run.arguments(args);
    const status = values[0] === undefined ? 404 : Number(textOf(values[0]));
    if (!Number.isInteger(status) || status < 400 || status > 599)
      throw new Error("abort takes a status from 400 to 599");
    throw new PageEnd({ kind: "abort", status });
  },
};

const headerTag: SiteTag<Arguments> = {
  parse: (source) => source.readArguments([]),
  *render(args, run) {
    const { values } = yield* run.arguments(args);
    const name = textOf(values[0]).toLowerCase();
    const value = textOf(values[1]);
    const isOpen =
      name === "link" || name === "x-robots-tag" || (/^x-[a-z0-9-]{1,60}$/.test(name) && !refusedHeaders.test(name));
    if (!isOpen && !(name === "cache-control" && strictCaching.test(value)))
      throw new Error(`A template may not set the header "${name}" to this value`);
    if (!/^[\x20-\x7e]*$/.test(value) || value.length > maxHeader)
      throw new Error(`The value of a header has up to ${maxHeader} printable characters of ASCII`);
    const { headers } = run.rendering;
    headers[name] = name === "link" && headers.link !== undefined ? `${headers.link}, ${value}` : value;
  },
};

interface CodeState {
  args: Arguments;
  body: Template[];
}

function codeTag(name: "script" | "style"): SiteTag<CodeState> {
  return {
    parse(source) {
      const args = source.readArguments(name === "script" ? ["type", "id"] : ["media", "id"]);
      return { args, body: source.readBody(`end${name}`) };
    },
    *render({ args, body }, run) {
      const { named } = yield* run.arguments(args);
      const code = yield* codeText(run, body);
      if (code.toLowerCase().includes(`</${name}`)) throw new Error(`Code may not hold </${name}`);
      const { scripts, styles } = run.rendering;
      (name === "script" ? scripts : styles).add(`sha256-${hash("sha256", code, "base64")}`);
      run.print(`<${name}${attributes(named)}>${code}</${name}>`);
    },
  };
}

/** Inside, values are printed as JSON alone. */
function* codeText(run: TagRun, body: Template[]): Generator<unknown, string, unknown> {
  run.rendering.inCode += 1;
  const code = yield* run.bodyText(body);
  run.rendering.inCode -= 1;
  return code;
}

registerTag("redirect", redirectTag);
registerTag("abort", abortTag);
registerTag("header", headerTag);
registerTag("script", codeTag("script"));
registerTag("style", codeTag("style"));
