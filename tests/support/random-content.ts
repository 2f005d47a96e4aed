// Random but repeatable content and requests: what two engines are compared by. Made from a seed; knows no server.

export interface RandomContent {
  schemas: Record<string, unknown>[];
  /** As an import takes them, with times of their own. */
  objects: Record<string, unknown>[];
  /** Addresses below the collection, with their parameters. */
  nextPath(): string;
}

const properties: Record<string, Record<string, unknown>> = {
  title: { type: "string", field: "text" },
  prose: { type: "string", field: "textarea" },
  number: { type: "number" },
  whole: { type: "integer" },
  flag: { type: "boolean" },
  day: { type: "date" },
  tags: { type: "list" },
  data: { type: "json" },
  words: { type: "localizedtext" },
  hidden: { type: "string" },
  hiddenNumber: { type: "number" },
  address: { type: "card", field: "card", schemaref: "mixed-address" },
  parts: { type: "deck", field: "deck", deckref: "mixed-part" },
  draft: { type: "boolean" },
};
const unlisted = new Set(["hidden", "hiddenNumber"]);
const indexed = Object.keys(properties).filter((name) => !unlisted.has(name));

const texts = [
  "",
  " ",
  "a",
  "A",
  "b",
  "ä",
  "Ä",
  "ß",
  "SS",
  "İstanbul",
  "ıi",
  "Σας",
  "x y",
  "red dining table",
  "Red-Table",
  'it\'s "quoted"',
  "back\\slash",
  "100%",
  "under_score",
  "comma,semi;colon:",
  "line\nbreak\ttab",
  "e\u0301 and \u00e9",
  "\u{1f600} smile",
  "\u{10ffff}",
  "\uffff",
  "\ufeffbom",
  "\u2028",
  "日本語のテキスト",
  "العربية",
  "=SUM(A1)",
  "-1",
  "null",
  "true",
  "0",
  "1e21",
  "long ".repeat(40),
  `${"l".repeat(119)}a`,
  `${"l".repeat(120)}a`,
  `${"l".repeat(120)}b`,
  `${"\u{1f600}".repeat(120)}z`,
];
const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  10,
  0.1 + 0.2,
  0.3,
  1e21,
  1e-7,
  -1e21,
  123456789012345680000,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53,
  1.7976931348623157e308,
  5e-324,
  1.5,
  -2.25,
];
const days = [
  "",
  "2026-05-01",
  "2026-05-01T10:00:00.000Z",
  "1999-12-31T23:59:59.999Z",
  "2026-05-02T00:00:00Z",
  "0001-01-01",
];
const words = [
  "red",
  "table",
  "Tab",
  "smile",
  "istanbul",
  "日本",
  "long",
  "l",
  "é",
  "e",
  "line break",
  "it's",
  "x",
  "or",
  '"red dining"',
];

/** A small generator of numbers with good spread: the same seed, the same numbers. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeRandomContent(seed: number, count: number): RandomContent {
  const random = generator(seed);
  const below = (end: number) => Math.floor(random() * end);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chance = (share: number) => random() < share;
  const some = <T>(make: () => T, most = 4): T[] => Array.from({ length: below(most) }, make);
  const text = () => (chance(0.8) ? pick(texts) : `${pick(texts)}${pick(texts)}`);

  function json(depth = 0): unknown {
    const kind = below(depth > 3 ? 4 : 6);
    if (kind === 0) return text();
    if (kind === 1) return pick(numbers);
    if (kind === 2) return pick([true, false, null]);
    if (kind === 3) return "";
    if (kind === 4) return some(() => json(depth + 1));
    return Object.fromEntries(
      some(() => [pick(["b", "a", "long-key", "10", "2", "é", "", "A", "\u{1f600}"]), json(depth + 1)], 5),
    );
  }

  const values: Record<string, () => unknown> = {
    title: text,
    prose: text,
    number: () => pick(numbers),
    whole: () => pick(numbers.filter(Number.isSafeInteger)),
    flag: () => chance(0.5),
    day: () => pick(days),
    tags: () => some(text),
    data: () => json(),
    words: () => Object.fromEntries(some(() => [pick(["en", "de", "fr_CA"]), text()])),
    hidden: text,
    hiddenNumber: () => pick(numbers),
    address: () => ({ street: text(), zip: pick(numbers), city: text() }),
    parts: () => some(() => ({ id: `p${below(1_000)}`, name: text(), size: pick(numbers) })).filter(isFirst),
    draft: () => chance(0.2),
  };
  function isFirst(item: { id: string }, at: number, all: { id: string }[]): boolean {
    return all.findIndex(({ id }) => id === item.id) === at;
  }

  function time(): string {
    return new Date(Date.UTC(2020, below(12), 1 + below(28), below(24), 0, 0, below(3))).toISOString();
  }

  const objects = Array.from({ length: count }, (_, at) => {
    const object: Record<string, unknown> = { id: `o${(at * 7919) % 100_003}`, created: time(), modified: time() };
    for (const [name, make] of Object.entries(values)) if (chance(0.75)) object[name] = make();
    return object;
  });

  const names = Object.keys(properties);
  const operators = ["eq", "ne", "lt", "lte", "gt", "gte", "contains", "starts", "ends", "in", "notin", "empty"];
  const value = (): string => {
    const kind = below(5);
    if (kind === 0) return String(pick(numbers));
    if (kind === 1) return pick(days);
    if (kind === 2) return pick(["true", "false", "*a*", "l*", "*e"]);
    return kind === 3 ? text() : `${text()}|${text()}`;
  };
  const sort = () =>
    some(() => `${pick(["", "-"])}${pick([...names, "id", "created", "modified"])}`, 4).join(",") ||
    pick(["id", "created"]);
  const clause = () =>
    chance(0.5) ? pick(names) : `${pick(names)}:${pick(["", `${pick(operators)}:`])}${value().replaceAll(",", " ")}`;

  function nextPath(): string {
    const query = new URLSearchParams();
    const kind = pick([
      "",
      "",
      "",
      "/query",
      "/query",
      "/query",
      "/index",
      "/export/json",
      "/export/csv",
      "/report/json",
      "/report/csv",
    ]);
    const isFile = kind.startsWith("/export") || kind.startsWith("/report");
    const isPaged = kind === "" || kind === "/query";
    if (isPaged && chance(0.7)) query.set("limit", String(1 + below(30)));
    if (isPaged && chance(0.3)) query.set("offset", String(below(count)));
    // Without an order of its own a search is ranked, and each engine weighs words in its own way.
    if (!isFile && chance(0.25)) query.set("search", some(() => pick(words), 3).join(" "));
    if (!isFile && (query.get("search") || chance(0.7))) query.set("sort", sort());
    if (kind === "" && chance(0.5)) query.set("order", pick(["asc", "desc"]));
    if (!isFile && chance(0.6)) {
      for (const name of some(() => pick([...names, "id", "created"]), 3)) {
        const operator = pick(["", "", ...operators.map((each) => `[${each}]`)]);
        query.set(`filter[${name}]${operator}`, value());
      }
    }
    if (kind !== "" && chance(0.5)) query.set("include", some(clause, 3).join(","));
    if (kind !== "" && chance(0.3)) query.set("exclude", some(clause, 3).join(","));
    if (kind === "/query" && chance(0.3)) query.set("format", pick(["csv", "html"]));
    if (kind.startsWith("/report")) query.set("fields", ["id", ...some(() => pick(names)), "parts.name"].join(","));
    return `${kind}?${query}`;
  }

  const item = { id: { field: "id" }, name: { type: "string" }, size: { type: "number" } };
  const card = { street: { type: "string" }, zip: { type: "number" }, city: { type: "string" } };
  const schema = (id: string, more: Record<string, unknown>, index: string[]) => ({
    id,
    properties: more,
    required: ["id"],
    index,
  });
  return {
    schemas: [
      schema("mixed-part", item, ["id"]),
      schema("mixed-address", card, ["id"]),
      schema("mixed", properties, indexed),
    ],
    objects,
    nextPath,
  };
}
