// site:routes, resolve, check, render.

import { anonymous } from "#access/actor.ts";
import { checkLinks } from "#admin/site-check/check-links.ts";
import { checkSite, worstFirst } from "#admin/site-check/check-site.ts";
import type { Call } from "#cli/call.ts";
import { withProgress } from "#cli/progress.ts";
import { contextFor } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { answerPage } from "#site/pages/answer.ts";
import { explainPath, listSiteRoutes } from "#site/pages/site-admin.ts";
import type { Recorder } from "#site/template/recorder.ts";

export async function listRoutes(call: Call): Promise<void> {
  const { routes } = await call.work((ctx) => listSiteRoutes(ctx));
  if (call.isJson) return call.out.json(routes as unknown as Json);
  await call.out.table(
    ["KIND", "ID", "ROUTE", "TEMPLATE", "STATUS", "CLASHES", "PROBLEM"],
    routes.map(({ kind, id, route, template, status, clashes, problem }) => [
      kind,
      id,
      route,
      template,
      String(status),
      clashes.join(", "),
      problem,
    ]),
  );
}

export async function resolvePath(call: Call, _options: unknown, path: string): Promise<void> {
  const found = await call.work((ctx) => explainPath(ctx, path));
  if (call.isJson) return call.out.json(found as unknown as Json);
  for (const step of found.steps) await call.out.line(step);
  await call.out.line(`${found.kind} ${found.status}${found.target === "" ? "" : ` ${found.target}`}`);
}

/** 1 when there are errors. */
export async function checkAll(call: Call, { links = false }: { links?: boolean }): Promise<number> {
  const findings = await withProgress(call.host.stderr, "Pages", (report) =>
    call.work(async (ctx) => worstFirst([...(await checkSite(ctx)), ...(links ? await checkLinks(ctx, report) : [])])),
  );
  if (call.isJson) await call.out.json(findings as unknown as Json);
  else if (findings.length === 0) await call.out.line("Nothing was found.");
  else
    await call.out.table(
      ["LEVEL", "WHERE", "FOUND", "CURE"],
      findings.map(({ level, template, page, line, message, cure }) => [
        level,
        `${template || page}${line > 0 ? `:${line}` : ""}`,
        message,
        cure,
      ]),
    );
  return findings.some(({ level }) => level === "error") ? 1 : 0;
}

/** 1 when the page is answered with an error. */
export async function renderPath(
  call: Call,
  { explain = false }: { explain?: boolean },
  asked: string,
): Promise<number> {
  const notes: (() => string)[] = [];
  const answer = await call.work((ctx) => {
    const [path = "/", search = ""] = asked.split("?");
    const request = {
      path,
      search,
      query: new Map(new URLSearchParams(search)),
      method: "GET" as const,
      locale: ctx.settings.get("locales")[0] ?? "en",
      wantsJson: false,
      visitor: async () => undefined,
      requestId: "cli",
    };
    return answerPage(contextFor(ctx, anonymous), request, noting(notes));
  });
  const { status, headers, body } = answer;
  const read = notes.map((note) => note());
  if (call.isJson) await call.out.json({ status, headers, body, ...(explain && { read }) });
  else {
    await call.out.write(body.endsWith("\n") || body === "" ? body : `${body}\n`);
    if (explain) for (const note of [`status ${status}`, ...read]) call.remark(note);
  }
  return status >= 400 ? 1 : 0;
}

/** Objects gather the properties that are read until the page is done, so they are written after it. */
function noting(notes: (() => string)[]): Recorder {
  const note = (text: string) => void notes.push(() => text);
  return {
    scope: (scope) => note(`everything of ${scope}`),
    object: ({ collection, id, properties }) =>
      void notes.push(() => `object ${collection}/${id}: ${[...properties].join(", ")}`),
    absence: (collection, id) => note(`no object ${collection}/${id}`),
    query: ({ collection, objects }) => note(`query of ${collection}: ${objects.map(({ id }) => id).join(", ")}`),
    fact: ({ scopes, value }) => note(`from ${scopes.join(", ")}: ${value}`),
    parameter: (name, value) => note(`parameter ${name}: ${value ?? "not there"}`),
    template: (id) => note(`template ${id}`),
    visitor: () => note("the visitor: the page is private"),
    expires: (seconds) => note(`kept for at most ${seconds} s`),
    timed: (seconds) => note(`kept for ${seconds} s`),
    include: ({ scopes }) => note(`a kept fragment, with ${scopes.join(", ")}`),
    never: () => note("not kept"),
  };
}
