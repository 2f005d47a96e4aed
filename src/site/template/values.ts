// Objects as templates see them: no prototype, no method, every property that is read is recorded. Values of properties know
// how to be printed: rich text is markup, images and files are plain records, cards are objects, decks lists.

import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { objectUrl } from "#content/query/object-url.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { didYouMean } from "#rules/near-names.ts";
import { idsIn } from "#schemas/relations.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { deckItems } from "#schemas/values/walk.ts";
import { storedMarkup } from "./html-value.ts";
import { localizedValue } from "./localized-value.ts";
import type { FoundObject } from "./reader.ts";
import type { RecordedObject } from "./recorder.ts";
import { countObjects, type Rendering, warn } from "./rendering.ts";

/** Behind an object of a template. */
export interface ObjectMeta {
  collection: Collection;
  recorded: RecordedObject;
  /** References that were resolved, by property. */
  resolved: Map<string, unknown>;
  /** Those in cards and decks: by the dotted name of the property, the objects by id. */
  nested: Map<string, ReadonlyMap<string, object>>;
}

/** Behind a file or image: the place where it is. */
export interface FileMeta {
  collection: Collection;
  id: string;
  path: readonly string[];
  property: Property;
}

const objects = new WeakMap<object, ObjectReads>();
const files = new WeakMap<object, FileMeta>();

export function findObjectMeta(value: unknown): ObjectMeta | undefined {
  return findReads(value)?.meta;
}

/** What reads the properties of an object, for callers that read many. */
export function findReads(value: unknown): ObjectReads | undefined {
  return typeof value === "object" && value !== null ? objects.get(value) : undefined;
}

export function findFileMeta(value: unknown): FileMeta | undefined {
  return typeof value === "object" && value !== null ? files.get(value) : undefined;
}

/** An object for templates. The caller tells the recorder how it was found. */
export function objectValue(rendering: Rendering, collection: Collection, found: FoundObject): object {
  countObjects(rendering, 1);
  const { id, rev } = found;
  const overlay = rendering.request.preview?.values.get(`${collection.id}/${id}`);
  const document = overlay ? { ...found.document, ...overlay } : found.document;
  // An object that becomes a draft is gone.
  const properties = new Set(collection.schema.properties.has("draft") ? ["draft"] : []);
  const recorded: RecordedObject = { collection: collection.id, id, rev, document: found.document, properties };
  const meta: ObjectMeta = { collection, recorded, resolved: new Map(), nested: new Map() };
  const reads = new ObjectReads(rendering, meta, document);
  const value = new Proxy<JsonObject>(document, reads);
  objects.set(value, reads);
  return value;
}

export function recordedOf(value: object): RecordedObject {
  return (objects.get(value) as ObjectReads).meta.recorded;
}

/** Properties that the address of an object is made of. */
const addressNames = perInstance(({ url }: Collection["settings"]): readonly string[] =>
  url === "" ? [] : ["id", ...[...url.matchAll(/\{+\s*([^{}|]+?)\s*(?:\||\})/g)].map(([, name]) => name as string)],
);

export function recordAddress({ collection, recorded }: ObjectMeta): void {
  for (const name of addressNames(collection.settings)) recorded.properties.add(name);
}

/** The path of its page; empty when it has none. */
export function addressOf(meta: ObjectMeta): string {
  recordAddress(meta);
  return objectUrl(meta.collection.settings, meta.recorded.document);
}

const added = new Set(["url", "collection"]);

/** Reads of one object. Nothing but own properties of the document is ever given out. */
export class ObjectReads implements ProxyHandler<JsonObject> {
  readonly meta: ObjectMeta;
  readonly #rendering: Rendering;
  readonly #document: JsonObject;
  #made: Map<string, unknown> | undefined;

  constructor(rendering: Rendering, meta: ObjectMeta, document: JsonObject) {
    this.#rendering = rendering;
    this.meta = meta;
    this.#document = document;
  }

  /** The same as the library reads it through the proxy. */
  read(name: string): unknown {
    return Object.hasOwn(this.#document, name) || this.#isAdded(name) ? this.get(this.#document, name) : undefined;
  }

  get(document: JsonObject, name: string | symbol): unknown {
    if (typeof name === "symbol") return name === Symbol.toPrimitive ? nothing : undefined;
    const { collection, recorded, resolved } = this.meta;
    if (!Object.hasOwn(document, name)) {
      if (name === "url") return addressOf(this.meta);
      return name === "collection" ? collection.id : undefined;
    }
    recorded.properties.add(name);
    if (resolved.size > 0 && resolved.has(name)) return resolved.get(name);
    const value = document[name];
    if (typeof value !== "object" && typeof value !== "string") return value;
    const known = this.#made?.get(name);
    if (known !== undefined) return known;
    const property = collection.schema.properties.get(name);
    const made = presentValue(this.#rendering, value as Json, {
      ...{ property, name, path: [name], meta: this.meta },
    });
    if (made !== value) {
      this.#made ??= new Map();
      this.#made.set(name, made);
    }
    return made;
  }

  /** The library asks this before it reads. */
  getOwnPropertyDescriptor(document: JsonObject, name: string | symbol): PropertyDescriptor | undefined {
    if (typeof name === "symbol") return undefined;
    const own = Object.getOwnPropertyDescriptor(document, name);
    if (own) return own;
    return this.#isAdded(name)
      ? { value: undefined, configurable: true, enumerable: false, writable: false }
      : undefined;
  }

  /** A member that is not stored. Others are recorded as absent. */
  #isAdded(name: string): boolean {
    if (added.has(name)) return true;
    const { collection, recorded } = this.meta;
    const { properties } = collection.schema;
    // It may be filled tomorrow.
    if (properties.has(name)) recorded.properties.add(name);
    else if (!/^(?:size|first|last)$/.test(name)) {
      const near = didYouMean(name, [...properties.keys(), ...added]);
      warn(this.#rendering, `"${name}" is not a property of the collection "${collection.id}".${near}`);
    }
    return false;
  }

  has(document: JsonObject, name: string | symbol): boolean {
    return typeof name === "string" && Object.hasOwn(document, name);
  }

  getPrototypeOf(): null {
    return null;
  }

  set(): boolean {
    return false;
  }

  defineProperty(): boolean {
    return false;
  }

  deleteProperty(): boolean {
    return false;
  }
}

function nothing(): string {
  return "";
}

interface Place {
  property: Property | undefined;
  /** Dotted, from the object to the property. */
  name: string;
  /** From the object to the value: with the ids of items. */
  path: readonly string[];
  meta: ObjectMeta;
}

function presentValue(rendering: Rendering, value: Json, place: Place): unknown {
  const { property } = place;
  if (property === undefined) return bareCopy(value);
  const { type } = property.kind;
  if (typeof value === "string") {
    const { field, format } = property.definition;
    if (type === "svg") return storedMarkup(value, (svg) => rendering.reader.cleanSvg(svg));
    if (type === "string" && (field === "styledtext" || format === "html"))
      return storedMarkup(value, (html) => rendering.reader.clean(html));
    return value;
  }
  switch (type) {
    case "card":
      return isJsonObject(value) && property.item ? shapeValue(rendering, property.item, { value, place }) : undefined;
    case "deck":
      return (deckItems(value) ?? []).flatMap((item) =>
        isJsonObject(item) && property.item ? [shapeValue(rendering, property.item, { value: item, place })] : [],
      );
    case "image":
    case "file":
      return isJsonObject(value) ? madeOnce(value, place, () => fileValue(value, place)) : undefined;
    case "gallery":
    case "depot":
      return typeof value === "object" && value !== null
        ? madeOnce(value, place, () => filesValue(value, place))
        : filesValue(value, place);
    case "localizedtext":
      return isJsonObject(value) ? localizedValue(bareCopy(value) as JsonObject, rendering.request.locale) : value;
    default:
      return bareCopy(value);
  }
}

/** A card, or an item of a deck. */
function shapeValue(
  rendering: Rendering,
  schema: FlatSchema,
  { value, place }: { value: JsonObject; place: Place },
): object {
  const shape = Object.create(null) as Record<string, unknown>;
  const isItem = place.property?.kind.type === "deck";
  const path = isItem ? [...place.path, String(value.id ?? "")] : place.path;
  for (const [name, inner] of Object.entries(value)) {
    const property = schema.properties.get(name);
    const inside = { property, name: `${place.name}.${name}`, path: [...path, name], meta: place.meta };
    const objects = place.meta.nested.get(inside.name);
    shape[name] = objects ? resolvedValue(inner, objects) : presentValue(rendering, inner as Json, inside);
  }
  return shape;
}

/** The objects in place of the ids of a reference: one, or a list where it is one. */
export function resolvedValue(value: Json | undefined, objects: ReadonlyMap<string, object>): object | undefined {
  const found = idsIn(value).flatMap((id) => objects.get(id) ?? []);
  return Array.isArray(value) ? found : found[0];
}

const made = new WeakMap<object, { collection: Collection; value: object }>();

/** Files of a document are the same for all renderings. */
function madeOnce(stored: object, { meta }: Place, make: () => object): object {
  const { collection } = meta;
  const known = made.get(stored);
  if (known?.collection === collection) return known.value;
  const value = deepFreeze(make());
  made.set(stored, { collection, value });
  return value;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

/** The address of a file depends on its protection: filters give it. That of an image is open. */
function fileValue(value: JsonObject, { path, meta, property }: Place): object {
  const copy = bareCopy(value) as Record<string, unknown>;
  const { collection, recorded } = meta;
  const isShut = value.protected === true && collection.settings.groups.length > 0;
  if (property?.kind.type === "file" || property?.kind.type === "depot" || isShut) delete copy.url;
  delete copy.storedAs;
  files.set(copy, { collection, id: recorded.id, path, property: property as Property });
  return copy;
}

/** A gallery, or the files of a depot. `featured` is the chosen one, else the first. */
function filesValue(value: Json, place: Place): object[] {
  const entries = Array.isArray(value) ? value : isJsonObject(value) && Array.isArray(value.files) ? value.files : [];
  const list = entries.flatMap((entry) => (isJsonObject(entry) ? [entryValue(entry, place)] : []));
  const featured = list.find((one) => (one as { featured?: unknown }).featured === true) ?? list[0];
  return Object.defineProperty(list, "featured", { value: featured });
}

function entryValue(entry: JsonObject, place: Place): object {
  const copy = fileValue(entry, { ...place, path: [...place.path, String(entry.name ?? "")] });
  const inner = entry.files;
  if (Array.isArray(inner)) {
    const below = { ...place, path: [...place.path, String(entry.name ?? "")] };
    (copy as Record<string, unknown>).files = filesValue(inner, below);
  }
  return copy;
}

/** Without prototypes, all the way down. */
export function bareCopy(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(bareCopy);
  if (!isJsonObject(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) copy[name] = bareCopy(inner as Json);
  return copy;
}
