// Renders the template of a page record or of an object's address, and makes the answer of it.

import type { JsonObject } from "#contract/json.ts";
import { createRenderPage } from "#site/template/create-render-page.ts";
import type { PageValues } from "#site/template/render-page.ts";
import { kindOf, pageHeaders } from "./page-headers.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";
import { pageTemplateId } from "./page-templates.ts";
import { redirectTo } from "./redirect-answer.ts";
import { fillRoute, parseRoute } from "./route-pattern.ts";
import type { Look, ShownObject } from "./shown-objects.ts";

import type { PageEntry } from "./site-routes.ts";

export interface Rendering {
  /** Absent for addresses of objects without a page. */
  entry?: PageEntry | undefined;
  record?: JsonObject | undefined;
  /** Only without a record. */
  template?: string | undefined;
  params: Readonly<Record<string, string>>;
  object?: ShownObject | undefined;
  status: number;
  isPrivate: boolean;
  /** What a step of an extension gives its template, as `step`. */
  step?: JsonObject | undefined;
}

/** A template may end the page with a status, such as 404. */
export type Made = { answer: PageAnswer; abort?: undefined } | { abort: number };

export async function renderRecord(look: Look, request: PageRequest, rendering: Rendering): Promise<Made> {
  const { ctx, recorder } = look;
  const { entry, record, params, object, status, isPrivate } = rendering;
  const kind = kindOf(entry ? entry.route : request.path);
  const error = status >= 400 ? errorOf(request, status) : undefined;
  const rendered = await createRenderPage(ctx)(
    {
      template: rendering.template ?? pageTemplateId(String(record?.template ?? "")),
      kind,
      ...(record && { page: { ...record, url: pageUrl(entry, params) } }),
      ...(object && { object: { collection: object.collection.id, id: object.id } }),
      params,
      ...(rendering.step && { data: { step: rendering.step } }),
      error,
    },
    request,
    recorder,
  );
  if (rendered.kind === "redirect") return { answer: redirectTo(ctx, request, rendered) };
  if (rendered.kind === "abort") return { abort: rendered.status };
  const isNoindex = entry?.isNoindex === true || status >= 400;
  const isPreview = request.preview !== undefined;
  const headers = pageHeaders(
    ctx.settings,
    { kind, locale: request.locale, isPrivate, isNoindex, isPreview },
    rendered,
  );
  return { answer: { status, headers: { ...headers, ...rendered.headers }, body: rendered.body, isPrivate } };
}

/** A page that prints the id of its request is for that request alone; the request records it. */
function errorOf(request: PageRequest, status: number): NonNullable<PageValues["error"]> {
  return {
    status,
    get requestId() {
      return request.requestId;
    },
  };
}

function pageUrl(entry: PageEntry | undefined, params: Readonly<Record<string, string>>): string {
  if (!entry || entry.route === "") return "";
  return fillRoute(parseRoute(entry.route), params) ?? "";
}
