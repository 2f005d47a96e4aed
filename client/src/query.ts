// What a list selects: conditions, order, choice of properties. Pure. Plain conditions become `filter[property][operator]=value`;
// groups and lists become one JSON filter, which the server reads alike.

export type Operator = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "contains" | "starts" | "ends";
export type Scalar = string | number | boolean;

export type Condition =
  | Scalar
  | ({ [O in Operator]?: Scalar } & { in?: readonly Scalar[]; notin?: readonly Scalar[]; empty?: boolean });

/** All must hold. Properties in cards and decks are named by their path: `"ingredients.name"`. */
export type Filter<T> = { [K in keyof T & string]?: Condition } & { [path: `${string}.${string}`]: Condition } & {
  or?: readonly Filter<T>[];
  and?: readonly Filter<T>[];
  not?: Filter<T>;
};

export interface ListOptions<T, P extends string = never> {
  filter?: Filter<T>;
  search?: string;
  /** `title`, `-created`; up to five, the first counts most. */
  sort?: string | readonly string[];
  limit?: number;
  offset?: number;
  /** From the page before. */
  cursor?: string;
  /** Only these; the id always. */
  fields?: readonly string[];
  /** Related objects that come along, in place of their ids. */
  expand?: readonly P[];
}

export type Parameters = [name: string, value: string][];

export function parametersOf<T, P extends string>(options: ListOptions<T, P>): Parameters {
  const { filter, search, sort, limit, offset, cursor, fields, expand } = options;
  const all: Parameters = filter ? filterParameters(filter as Conditions) : [];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== "") all.push([name, String(value)]);
  };
  add("search", search);
  add("sort", typeof sort === "string" ? directed(sort) : sort?.map(directed).join(","));
  add("limit", limit);
  add("offset", offset);
  add("cursor", cursor);
  add("fields", fields?.join(","));
  add("expand", expand?.join(","));
  return all;
}

/** Lists are descending unless each part says its direction. */
function directed(sort: string): string {
  return sort
    .split(",")
    .map((part) => (part.startsWith("-") || part.includes(":") || part === "shuffle" ? part : `${part}:asc`))
    .join(",");
}

type Conditions = Record<string, unknown>;

function filterParameters(filter: Conditions): Parameters {
  const plain: Parameters = [];
  for (const [name, condition] of Object.entries(filter)) {
    if (typeof condition !== "object" || condition === null) plain.push([`filter[${name}]`, String(condition)]);
    else if (Array.isArray(condition) || name === "not") return [["filter", JSON.stringify(filter)]];
    else
      for (const [operator, value] of Object.entries(condition)) {
        if (typeof value === "object") return [["filter", JSON.stringify(filter)]];
        plain.push([`filter[${name}][${operator}]`, String(value)]);
      }
  }
  return plain;
}

/** Conditions that are put together one by one; all must hold. */
export class Where<T> {
  readonly #all: Filter<T>[] = [];

  where(property: (keyof T & string) | `${string}.${string}`, condition: Condition): this {
    this.#all.push({ [property]: condition } as Filter<T>);
    return this;
  }

  /** At least one of these. */
  or(...groups: ((group: Where<T>) => unknown)[]): this {
    this.#all.push({ or: groups.map(groupOf<T>) } as Filter<T>);
    return this;
  }

  not(group: (group: Where<T>) => unknown): this {
    this.#all.push({ not: groupOf(group) } as Filter<T>);
    return this;
  }

  toFilter(): Filter<T> {
    const names = this.#all.flatMap((one) => Object.keys(one));
    if (new Set(names).size === names.length) return Object.assign({}, ...this.#all) as Filter<T>;
    return { and: this.#all } as unknown as Filter<T>;
  }
}

function groupOf<T>(build: (group: Where<T>) => unknown): Filter<T> {
  const group = new Where<T>();
  build(group);
  return group.toFilter();
}
