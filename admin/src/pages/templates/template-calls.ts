// What the pages of templates ask the server.

import type { Template, TemplateFile, TemplateVersion } from "@contract/templates.ts";
import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { includedIn } from "./tree.ts";

/** Under this name changes are kept on this device: no collection has it. */
export const keptUnder = "templates";

export interface TemplateList {
  templates: TemplateFile[];
  /** Git keeps them: they are only read here. */
  isManaged: boolean;
}

export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: async ({ signal }): Promise<TemplateList> => {
    const { data, meta } = await ask<TemplateFile[]>(routes.templates, { signal });
    return { templates: data, isManaged: meta.gitManaged === true };
  },
});

export interface StoredTemplate {
  text: string;
  etag: string;
}

const pathOf = (id: string) => ({ id: id.split("/") });

export async function fetchTemplate(id: string, signal?: AbortSignal): Promise<StoredTemplate> {
  const { data, etag } = await ask<Template>(routes.template, { path: pathOf(id), signal });
  return { text: data.template, etag };
}

export async function createTemplate(id: string, text: string): Promise<string> {
  return (await askData<Template>(routes.createTemplate, { body: { id, template: text } })).id;
}

export async function putTemplate(id: string, text: string, ifMatch: string): Promise<StoredTemplate> {
  const { data, etag } = await ask<Template>(routes.putTemplate, {
    path: pathOf(id),
    body: { template: text },
    ifMatch,
  });
  return { text: data.template, etag };
}

export async function deleteTemplate(id: string, ifMatch?: string): Promise<void> {
  await ask(routes.deleteTemplate, { path: pathOf(id), ifMatch });
}

/** The new one first: what goes wrong in between leaves two, never none. */
export async function renameTemplate(id: string, next: string): Promise<string> {
  const { text, etag } = await fetchTemplate(id);
  const made = await createTemplate(next, text);
  await deleteTemplate(id, etag);
  return made;
}

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["templates", "versions", id],
    queryFn: ({ signal }) => askData<TemplateVersion[]>(routes.templateHistory, { path: pathOf(id), signal }),
  });

export const versionQuery = (id: string, version: string) =>
  queryOptions({
    queryKey: ["template-version", id, version],
    queryFn: async ({ signal }) =>
      (await askData<Template>(routes.templateHistory, { path: pathOf(id), query: { version }, signal })).template,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** More would take long to read; who includes it is then not known. */
const mostRead = 200;
const readAtOnce = 6;

/** The templates that include this one; undefined where there are too many to look at. */
export const includersQuery = (id: string, all: readonly TemplateFile[]) =>
  queryOptions({
    queryKey: ["templates", "includers", id],
    queryFn: async ({ signal }): Promise<string[] | null> => {
      if (all.length > mostRead) return null;
      const others = all.filter((other) => other.id !== id).map((other) => other.id);
      const found: string[] = [];
      const read = async () => {
        for (let next = others.shift(); next !== undefined; next = others.shift()) {
          const other = await fetchTemplate(next, signal).catch(passOverMissing);
          if (other && includedIn(other.text).has(id)) found.push(next);
        }
      };
      await Promise.all(Array.from({ length: readAtOnce }, read));
      return found.sort();
    },
    staleTime: 0,
  });

/** The list may be older than a rename or a deletion. */
function passOverMissing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}
