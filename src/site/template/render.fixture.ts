// Pages for tests of templates: templates as texts, objects in memory, and a recorder that tells what was read.

import type { Collection } from "#content/collections/collection.ts";
import { fillSettings } from "#content/collections/collection-settings.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import { isOnSite } from "#rules/on-site.ts";
import { htmlclean, schemaOf } from "#schemas/build.fixture.ts";
import { cleanHtml, cleanSvg } from "#schemas/html/html.ts";
import { formIn } from "#site/forms/shown-form.ts";
import type { PageRequest } from "#site/pages/page-request.ts";
import type { FoundObject, SiteReader } from "./reader.ts";
import type { RecordedObject, Recorder } from "./recorder.ts";
import { render, startRendering } from "./render.ts";
import { createKnownLists } from "./render-lists.fixture.ts";
import type { PageValues, Rendered } from "./render-page.ts";
import { templatesFrom } from "./template-store.ts";

export interface TestCollection {
  settings?: Partial<CollectionConfig>;
  properties: { [name: string]: PropertyDefinition };
  items?: Record<string, { [name: string]: PropertyDefinition }>;
  objects: JsonObject[];
}

export interface TestPage {
  templates: Record<string, string>;
  collections?: Record<string, TestCollection>;
  pages?: JsonObject[];
  words?: Record<string, JsonObject>;
  views?: Record<string, Json>;
  assets?: Record<string, string>;
  values?: Partial<PageValues>;
  request?: Partial<PageRequest>;
  isDevelopment?: boolean;
  timezone?: string;
}

export interface Told {
  scopes: Set<string>;
  templates: string[];
  objects: RecordedObject[];
  absences: string[];
  queries: { collection: string; ids: string[]; total: number | undefined }[];
  parameters: Map<string, string | undefined>;
  isPrivate: boolean;
  seconds: number | undefined;
  isNever: boolean;
}

export interface Outcome {
  rendered: Rendered;
  /** Of a page. */
  body: string;
  told: Told;
  warnings: string[];
}

/** Renders `pages/test` unless the values name another template. */
export async function renderTest(page: TestPage): Promise<Outcome> {
  const collections = new Map(Object.entries(page.collections ?? {}).map(([id, one]) => [id, collectionOf(id, one)]));
  const warnings: string[] = [];
  const { recorder, told } = createTold();
  const request: PageRequest = {
    ...{ path: "/", query: new Map(), search: "", method: "GET", locale: "en", wantsJson: false, requestId: "r1" },
    visitor: async () => undefined,
    ...page.request,
  };
  const values: PageValues = { template: "pages/test", kind: "html", params: {}, ...page.values };
  const isMarkup = ["html", "xml", "svg", "rss"].includes(values.kind);
  const rendering = startRendering({
    ...{ values, request, recorder, isDevelopment: page.isDevelopment ?? false },
    templates: templatesFrom(new Map(Object.entries(page.templates)), isMarkup),
    reader: createReader(page, collections, warnings),
    site: {
      ...{ name: "Old Stones", url: "https://stones.example", locale: "en", locales: ["en", "de"] },
      ...{ timezone: page.timezone ?? "UTC", environment: "production", version: "1.0.0" },
      iframeHosts: ["www.youtube-nocookie.com"],
    },
  });
  const rendered = await render(rendering);
  const logged =
    rendered.kind === "page" ? [...warnings, ...(rendered.warnings ?? []).map(({ text }) => text)] : warnings;
  return { rendered, body: rendered.kind === "page" ? rendered.body : "", told: told(), warnings: logged };
}

/** The text that one template prints. */
export async function printed(template: string, more: Partial<TestPage> = {}): Promise<string> {
  const { body } = await renderTest({ ...more, templates: { "pages/test": template, ...more.templates } });
  return body;
}

function collectionOf(id: string, { settings, properties, items }: TestCollection): Collection {
  const filled = fillSettings({ id, schema: id, publicOperations: ["read"], ...settings } as JsonObject);
  return {
    id,
    settings: filled,
    schema: schemaOf({ id: { type: "string" }, ...properties }, {}, items),
    isVirtual: false,
  };
}

function createReader(page: TestPage, collections: Map<string, Collection>, warnings: string[]): SiteReader {
  const objectsOf = (collection: Collection): FoundObject[] =>
    (page.collections?.[collection.id]?.objects ?? [])
      .filter(({ draft }) => draft !== true)
      .map((document) => ({ id: String(document.id), rev: "1", document }));
  return {
    open(id) {
      const collection = collections.get(id);
      if (!collection) return { refusal: "absent" };
      return isOnSite(collection) ? { collection } : { refusal: "closed" };
    },
    list: createKnownLists(objectsOf),
    findMany: async (collection, ids) => ids.map((id) => objectsOf(collection).find((one) => one.id === id)),
    referring: async (target) =>
      [...collections.values()].flatMap((collection) => {
        const all = [...collection.schema.properties.values()];
        const properties = all.flatMap(({ name, definition }) => (definition.reference === target ? [name] : []));
        return properties.length > 0 ? [{ collection, properties }] : [];
      }),
    count: async (collection) => objectsOf(collection).length,
    pages: async () => page.pages ?? [],
    view: async (id) => page.views?.[id],
    words: async (locale) => page.words?.[locale] ?? {},
    asset: async (path) => (page.assets?.[path] ? { path, hash: page.assets[path] } : undefined),
    isOpenFile: async (collection) => collection.settings.publicFiles === true,
    clean: (html) => cleanHtml(html, htmlclean),
    cleanSvg,
    async form(id) {
      const [collection = "", name = ""] = id.split("/");
      return formIn(collections.get(collection), name, { trap: "f0123456789", trapExpires: 600, salt: "salt" });
    },
    refuse: (message) => void warnings.push(message),
  };
}

function createTold(): { recorder: Recorder; told(): Told } {
  const told: Told = {
    ...{ scopes: new Set<string>(), templates: [], objects: [], absences: [], queries: [], parameters: new Map() },
    ...{ isPrivate: false, seconds: undefined, isNever: false },
  };
  const queries: Parameters<Recorder["query"]>[0][] = [];
  const recorder: Recorder = {
    scope: (scope) => void told.scopes.add(scope),
    object: (object) => void told.objects.push(object),
    absence: (collection, id) => void told.absences.push(`${collection}/${id}`),
    query: (query) => void queries.push(query),
    fact() {},
    template: (id) => void told.templates.push(id),
    timed() {},
    include() {},
    parameter: (name, value) => void told.parameters.set(name, value),
    visitor() {
      told.isPrivate = true;
    },
    expires(seconds) {
      told.seconds = Math.min(told.seconds ?? seconds, seconds);
    },
    never() {
      told.isNever = true;
    },
  };
  return {
    recorder,
    told() {
      told.queries = queries.map(({ collection, objects, total }) => ({
        ...{ collection, total, ids: objects.map(({ id }) => id) },
      }));
      told.objects = [...told.objects, ...queries.flatMap(({ objects }) => objects)];
      return told;
    },
  };
}
