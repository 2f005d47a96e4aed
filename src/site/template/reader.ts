// What templates read: the collections that are on the site, their objects, pages and files. Behind it is the database; tests
// have it in memory. It decides what the site may show; it records nothing.

import type { Collection } from "#content/collections/collection.ts";
import type { Params } from "#content/query/parameters.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { ShownForm } from "#site/forms/shown-form.ts";
import type { PagePreview, PageRequest } from "#site/pages/page-request.ts";

export interface FoundObject {
  id: string;
  /** From `versionOf`. */
  rev: string;
  /** As the API presents it. Shared between renderings: never changed. */
  document: JsonObject;
}

export interface ListQuestion {
  params: Params;
  limit: number;
  offset: number;
}

export interface FoundList {
  objects: readonly FoundObject[];
  hasMore: boolean;
  /** All that are selected. */
  total(): Promise<number>;
  /** From `decidingProperties`. */
  decidedBy?: ReadonlySet<string> | undefined;
  /** The same again: ids in their order. */
  ask(): Promise<{ id: string; rev: string }[]>;
}

export type Opened = { collection: Collection } | { refusal: "absent" | "closed" };

export interface SiteReader {
  /** Only collections that are on the site are opened. */
  open(id: string): Opened | Promise<Opened>;
  list(collection: Collection, question: ListQuestion, preview?: PagePreview): Promise<FoundList>;
  /** One statement, however many; undefined where there is none, or only a draft. */
  findMany(
    collection: Collection,
    ids: readonly string[],
    preview?: PagePreview,
  ): Promise<readonly (FoundObject | undefined)[]>;
  /** Collections of the site that refer to this one, with the names of the properties. */
  referring(collection: string): Promise<{ collection: Collection; properties: string[] }[]>;
  count(collection: Collection): Promise<number>;
  /** Records of pages that are no drafts, by order and id. */
  pages(): Promise<readonly JsonObject[]>;
  /** The result of a data view; undefined where there is none that the site may show. */
  view(id: string): Promise<Json | undefined>;
  /** Texts of a language, by key; empty where there is no file. */
  words(locale: string): Promise<JsonObject>;
  /** A file of `public/` by its path, or by its source in a Vite manifest; undefined where there is none. */
  asset(path: string): Promise<{ path: string; hash: string | undefined } | undefined>;
  /** A file that nothing locks, of the object at this path below it. */
  isOpenFile(collection: Collection, id: string, path: readonly string[]): Promise<boolean>;
  /** By the site's rules, kept in memory. */
  clean(html: string): string;
  cleanSvg(svg: string): string;
  /** By `collection/name`, of any collection: a form opens what it says. */
  form(id: string): Promise<ShownForm | undefined>;
  /** A template asked for what the site may not show. It is counted, and logged once for each sentence. */
  refuse(message: string, place: { template: string; request: Pick<PageRequest, "path"> }): void;
}
