// One collection: its objects and their files. Every method gives a result; none throws.

import { resolve } from "./expand.ts";
import { type UploadOptions, uploadFile } from "./files.ts";
import { type Condition, type Filter, type ListOptions, type Parameters, parametersOf, Where } from "./query.ts";
import type { Answer, Call, Transport } from "./transport.ts";
import type { CallOptions, Change, Expanded, Input, ListInfo, ObjectInfo, Result } from "./types.ts";

export interface ReadOptions<P extends string = never> extends CallOptions {
  fields?: readonly string[];
  expand?: readonly P[];
}

export interface WriteOptions extends CallOptions {
  /** The ETag of the version that is meant; when it has changed since, the error has status 412. */
  ifMatch?: string;
}

export interface CreateOptions extends CallOptions {
  /** New for each object, such as a UUID. The call is then repeated like a read, and makes one object at most; needs a credential. */
  idempotencyKey?: string;
}

type ListResult<T, P extends string> = Result<Expanded<T, P>[], ListInfo>;
type ObjectResult<T> = Result<T, ObjectInfo>;

export class Collection<T> {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.#path = `/api/collections/${encodeURIComponent(id)}`;
  }

  async list<const P extends string = never>(options: ListOptions<T, P> & CallOptions = {}): Promise<ListResult<T, P>> {
    const query = parametersOf(options);
    const answer = await this.#transport.send({ method: "GET", path: this.#path, query, signal: options.signal });
    if (!answer.ok) return answer;
    const cursor = answer.headers.get("x-next-cursor");
    return {
      ok: true,
      data: dataOf(answer) as Expanded<T, P>[],
      total: Number(answer.headers.get("x-total-count") ?? 0),
      ...(cursor !== null && { cursor }),
    };
  }

  /** A selection that is put together step by step; `list`, `first` and `pages` send it. */
  query(): Selection<T> {
    return new Selection(this);
  }

  async get<const P extends string = never>(
    id: string,
    options: ReadOptions<P> = {},
  ): Promise<ObjectResult<Expanded<T, P>>> {
    const { fields, expand, signal } = options;
    const query: Parameters = parametersOf({ ...(fields && { fields }), ...(expand && { expand }) });
    return this.#object({ method: "GET", path: this.#at(id), query, signal });
  }

  async create(object: Input<T>, { idempotencyKey, signal }: CreateOptions = {}): Promise<ObjectResult<T>> {
    const once = idempotencyKey !== undefined && {
      headers: { "idempotency-key": idempotencyKey },
      isRepeatable: true,
    };
    return this.#object({ method: "POST", path: this.#path, json: object, signal, ...once });
  }

  async replace(id: string, object: Input<T>, options: WriteOptions = {}): Promise<ObjectResult<T>> {
    return this.#object({ method: "PUT", path: this.#at(id), json: object, ...conditionOf(options) });
  }

  async patch(id: string, change: Change<T>, options: WriteOptions = {}): Promise<ObjectResult<T>> {
    return this.#object({ method: "PATCH", path: this.#at(id), json: change, ...conditionOf(options) });
  }

  async delete(id: string, options: WriteOptions = {}): Promise<Result<undefined>> {
    const answer = await this.#transport.send({ method: "DELETE", path: this.#at(id), ...conditionOf(options) });
    return answer.ok ? { ok: true, data: undefined } : answer;
  }

  /** The answer is the whole object. */
  async upload(
    id: string,
    property: keyof T & string,
    file: Blob,
    options: UploadOptions = {},
  ): Promise<ObjectResult<T>> {
    const path = this.#at(id, property);
    return asObject(await uploadFile(this.#transport, { path, property }, file, options));
  }

  /** `name`: of one file of a gallery or depot. */
  async removeFile(
    id: string,
    property: keyof T & string,
    options: CallOptions & { name?: string } = {},
  ): Promise<Result<undefined>> {
    const { name, signal } = options;
    const path = name === undefined ? this.#at(id, property) : `${this.#at(id, property)}/${encodeURIComponent(name)}`;
    const answer = await this.#transport.send({ method: "DELETE", path, signal });
    return answer.ok ? { ok: true, data: undefined } : answer;
  }

  #at(...segments: string[]): string {
    return [this.#path, ...segments.map(encodeURIComponent)].join("/");
  }

  async #object<O>(call: Call): Promise<ObjectResult<O>> {
    return asObject(await this.#transport.send(call));
  }
}

/** Lists of one collection, put together step by step. Each step gives a new selection. */
export class Selection<T, P extends string = never> {
  readonly #collection: Collection<T>;
  readonly #options: ListOptions<T, P>;

  constructor(collection: Collection<T>, options: ListOptions<T, P> = {}) {
    this.#collection = collection;
    this.#options = options;
  }

  where(property: (keyof T & string) | `${string}.${string}`, condition: Condition): Selection<T, P> {
    return this.#and((all) => all.where(property, condition));
  }

  or(...groups: ((group: Where<T>) => unknown)[]): Selection<T, P> {
    return this.#and((all) => all.or(...groups));
  }

  not(group: (group: Where<T>) => unknown): Selection<T, P> {
    return this.#and((all) => all.not(group));
  }

  search(text: string): Selection<T, P> {
    return this.#with({ search: text });
  }

  sort(...properties: string[]): Selection<T, P> {
    return this.#with({ sort: properties });
  }

  limit(count: number): Selection<T, P> {
    return this.#with({ limit: count });
  }

  offset(count: number): Selection<T, P> {
    return this.#with({ offset: count });
  }

  fields(...names: string[]): Selection<T, P> {
    return this.#with({ fields: names });
  }

  expand<const Q extends string>(...paths: Q[]): Selection<T, P | Q> {
    const { expand = [], ...rest } = this.#options;
    return new Selection<T, P | Q>(this.#collection, { ...rest, expand: [...expand, ...paths] });
  }

  list(options: CallOptions = {}): Promise<ListResult<T, P>> {
    return this.#collection.list({ ...this.#options, ...options });
  }

  /** Undefined when nothing matches. */
  async first(options: CallOptions = {}): Promise<Result<Expanded<T, P> | undefined>> {
    const answer = await this.limit(1).list(options);
    return answer.ok ? { ok: true, data: answer.data[0] } : answer;
  }

  /** Page by page; ends after the last, or after the first error. */
  async *pages(options: CallOptions = {}): AsyncGenerator<ListResult<T, P>> {
    let next: ListOptions<T, P> = this.#options;
    for (;;) {
      const page = await this.#collection.list({ ...next, ...options });
      yield page;
      if (!page.ok || page.cursor === undefined) return;
      const { offset: _offset, ...rest } = this.#options;
      next = { ...rest, cursor: page.cursor };
    }
  }

  #and(add: (all: Where<T>) => unknown): Selection<T, P> {
    const more = new Where<T>();
    add(more);
    const [before, now] = [this.#options.filter, more.toFilter()];
    return this.#with({ filter: before ? joined(before, now) : now });
  }

  #with(more: ListOptions<T, P>): Selection<T, P> {
    return new Selection(this.#collection, { ...this.#options, ...more });
  }
}

/** As one group where no name occurs twice. */
function joined<T>(first: Filter<T>, second: Filter<T>): Filter<T> {
  const isFree = Object.keys(second).every((name) => !Object.hasOwn(first, name));
  return (isFree ? { ...first, ...second } : { and: [first, second] }) as Filter<T>;
}

function conditionOf({ ifMatch, signal }: WriteOptions): Pick<Call, "headers" | "signal"> {
  return { ...(ifMatch !== undefined && { headers: { "if-match": ifMatch } }), signal };
}

function asObject<O>(answer: Answer): ObjectResult<O> {
  if (!answer.ok) return answer;
  const etag = answer.headers.get("etag");
  return { ok: true, data: dataOf(answer) as O, ...(etag !== null && { etag }) };
}

interface Wrapped {
  data: unknown;
  expand?: Related;
}
type Related = Record<string, Record<string, Record<string, unknown>>>;

function dataOf({ body }: { body: unknown }): unknown {
  const { data, expand } = body as Wrapped;
  return resolve(data, expand);
}
