import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import { now, refusal, refused, stored } from "#schemas/build.fixture.ts";

interface Cases {
  rule: string;
  definition: PropertyDefinition;
  kept: [sent: Json, stored: Json][];
  refused?: Json[];
  says?: string;
}

const cases: Cases[] = [
  {
    rule: "FLD-11 string",
    definition: { type: "string" },
    kept: [
      ["Hello", "Hello"],
      ["  spaced\n", "  spaced\n"],
      ["", ""],
      [12.5, "12.5"],
      [false, "false"],
      ["a < b & c", "a < b & c"],
    ],
    refused: [["a"], { a: 1 }],
    says: "It must be text",
  },
  {
    rule: "FLD-12 number",
    definition: { type: "number" },
    kept: [
      [0, 0],
      [-1.5, -1.5],
      ["42", 42],
      [" 1e3 ", 1000],
      [".5", 0.5],
    ],
    refused: ["abc", "", "12abc", "0x10", "1e400", "NaN", "Infinity", true, [1], {}, "$5"],
    says: "It must be a number",
  },
  {
    rule: "FLD-12 price",
    definition: { field: "price" },
    kept: [
      ["$100,000.00", 100000],
      ["100.000,00 €", 100000],
      ["CHF 1'234.50", 1234.5],
      ["1,234", 1234],
      ["1,50", 1.5],
      ["-3.99 USD", -3.99],
      [9.99, 9.99],
      ["1.234.567", 1234567],
    ],
    refused: ["free", "1..2", "", "$"],
    says: "It must be a number",
  },
  {
    rule: "FLD-13 integer",
    definition: { type: "integer" },
    kept: [
      [3, 3],
      ["-4", -4],
      ["5.0", 5],
    ],
    refused: [1.5, "1.5", "x", 1e300],
    says: "It must be a whole number",
  },
  {
    rule: "FLD-14 boolean",
    definition: { type: "boolean" },
    kept: [
      [true, true],
      [false, false],
      ["TRUE", true],
      ["no", false],
      ["yes", true],
      ["0", false],
      [1, true],
      [0, false],
    ],
    refused: ["maybe", "", 2, [], {}],
    says: "It must be true or false",
  },
  {
    rule: "FLD-15 date",
    definition: { type: "date" },
    kept: [
      ["2024-01-15", "2024-01-15T00:00:00.000Z"],
      ["2024-01-15T09:30:00Z", "2024-01-15T09:30:00.000Z"],
      ["2024-01-15T09:30:00+02:00", "2024-01-15T07:30:00.000Z"],
      ["2024-01-15T09:30:00+0200", "2024-01-15T07:30:00.000Z"],
      ["2024-01-15 09:30", "2024-01-15T09:30:00.000Z"],
      ["2024-01-15T09:30:00.123456Z", "2024-01-15T09:30:00.123Z"],
      [0, "1970-01-01T00:00:00.000Z"],
      [1705311000000, "2024-01-15T09:30:00.000Z"],
      ["now", now],
      ["today", "2026-03-04T00:00:00.000Z"],
      ["tomorrow", "2026-03-05T00:00:00.000Z"],
      ["yesterday", "2026-03-03T00:00:00.000Z"],
      ["+1 week", "2026-03-11T05:06:07.890Z"],
      ["-2 days", "2026-03-02T05:06:07.890Z"],
      ["+1 year", "2027-03-04T05:06:07.890Z"],
      ["", ""],
    ],
    refused: ["soon", "2024-02-30", "2024-13-01", "2024-01-15T25:00:00Z", "15.1.2024", 1e20, true, {}, "+99999 years"],
    says: "It must be a date",
  },
  {
    rule: "FLD-16 email",
    definition: { type: "email" },
    kept: [
      ["a@b.co", "a@b.co"],
      [" jane.doe+x@sub.example.com ", "jane.doe+x@sub.example.com"],
      ["jürgen@müller.de", "jürgen@müller.de"],
      ["", ""],
    ],
    refused: [
      "a",
      "a@b",
      "a@@b.co",
      "a b@c.de",
      "@b.co",
      "a@.co",
      "a@b..co",
      ".a@b.co",
      "a@b.co\n,c@d.ef",
      `${"a".repeat(65)}@b.co`,
    ],
    says: "It must be an e-mail address",
  },
  {
    rule: "FLD-16 url",
    definition: { type: "url" },
    kept: [
      ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
      ["http://localhost:8080", "http://localhost:8080"],
      ["", ""],
    ],
    refused: [
      "example.com",
      "/path",
      "javascript:alert(1)",
      "data:text/html,x",
      "ftp://a.b",
      "https://",
      "https://a b.c",
      "https://a.b/<script>",
    ],
    says: "It must be an http or https URL",
  },
  {
    rule: "FLD-16 phone",
    definition: { type: "phone" },
    kept: [
      ["+41 44 123 45 67", "+41 44 123 45 67"],
      ["(555) 123-4567", "(555) 123-4567"],
      ["", ""],
    ],
    refused: ["call me", "12", "+41-abc-1234567", "------7"],
    says: "It must be a phone number",
  },
  {
    rule: "FLD-16 time",
    definition: { type: "time" },
    kept: [
      ["09:30", "09:30"],
      ["9:30", "09:30"],
      ["23:59", "23:59"],
      ["", ""],
    ],
    refused: ["24:00", "12:60", "noon", "12", "12:30:00"],
    says: "It must be a time of day like 09:30",
  },
  {
    rule: "FLD-16 slug",
    definition: { type: "slug" },
    kept: [
      ["Café & Résumé", "cafe-resume"],
      ["", ""],
    ],
    refused: [[]],
    says: "It must be text",
  },
  {
    rule: "FLD-17 list with doubles",
    definition: { type: "list", settings: { duplicateItemsAllowed: true } },
    kept: [
      [
        ["a", " b ", "a", ""],
        ["a", "b", "a"],
      ],
      ["x, y,,x", ["x", "y", "x"]],
    ],
    refused: [[{}]],
    says: "It must be a list of texts",
  },
  {
    rule: "FLD-17 list",
    definition: { type: "list" },
    kept: [
      [
        ["a", " b ", "a", "", null, 0, false],
        ["a", "b", "0", "false"],
      ],
      ["x, y,,x", ["x", "y"]],
      ["", []],
      [[], []],
      ['["j","k"]', ["j", "k"]],
    ],
    refused: [5, { a: 1 }],
    says: "It must be a list",
  },
  {
    rule: "FLD-18 array",
    definition: { type: "array" },
    kept: [
      [
        [0, false, "", null, "a", { b: null }],
        [0, false, "", null, "a", { b: null }],
      ],
      ["a,b", ["a", "b"]],
    ],
    refused: [5, true],
    says: "It must be a list",
  },
  {
    rule: "FLD-19 color",
    definition: { type: "color" },
    kept: [
      ["#ffffff", { hex: "#ffffff", oklch: { l: 100, c: 0, h: 0 } }],
      ["000", { hex: "#000000", oklch: { l: 0, c: 0, h: 0 } }],
      ["rgb(255, 0, 0)", { hex: "#ff0000", oklch: { l: 62.796, c: 0.25768, h: 29.234 } }],
      ["hsl(120deg 100% 50%)", { hex: "#00ff00", oklch: { l: 86.644, c: 0.29483, h: 142.495 } }],
      ["oklch(62.796% 0.25768 29.234)", { hex: "#ff0000", oklch: { l: 62.796, c: 0.25768, h: 29.234 } }],
      [{ hex: "#0000ff" }, { hex: "#0000ff", oklch: { l: 45.201, c: 0.31321, h: 264.052 } }],
    ],
    refused: [
      "red-ish",
      "",
      "#12345",
      "rgb(300,0,0)",
      "rgb(1,2)",
      { l: 1 },
      { oklch: { l: 101, c: 0, h: 0 } },
      7,
      "oklch(a b c)",
    ],
    says: "It must be a color",
  },
  {
    rule: "FLD-20 json",
    definition: { type: "json" },
    kept: [
      [{ a: [1, null, "<b>"] }, { a: [1, null, "<b>"] }],
      ['{"a":1}', { a: 1 }],
      ["{broken", "{broken"],
      [5, 5],
      ["", ""],
    ],
  },
  {
    rule: "FLD-20 object",
    definition: { type: "object" },
    kept: [
      [{ a: { b: 1 } }, { a: { b: 1 } }],
      ['{"a":1}', { a: 1 }],
    ],
    refused: [[], "x", 5, '{"__proto__":{"a":1}}'],
    says: "It must be an object",
  },
  {
    rule: "FLD-21 localizedtext",
    definition: { type: "localizedtext" },
    kept: [
      [
        { en_US: "About", de: "Über", fr: "<b onclick=x>Oui</b>" },
        { en_US: "About", de: "Über", fr: "<b>Oui</b>" },
      ],
      ['{"de":"x"}', { de: "x" }],
      [{}, {}],
    ],
    refused: ["text", [], 5],
    says: "It must be an object of locales and texts",
  },
  {
    rule: "FLD-23 code",
    definition: { type: "code" },
    kept: [["<script>alert(1)</script>", "<script>alert(1)</script>"]],
    refused: [{}],
    says: "It must be text",
  },
  {
    rule: "FLD-24 image",
    definition: { type: "image" },
    kept: [
      [
        {
          name: "a.jpg",
          alt: "A",
          width: 3,
          focalpoint: { x: 0, y: 100 },
          caption: "C",
          mine: { deep: [1] },
          link: "/x",
        },
        {
          name: "a.jpg",
          alt: "A",
          width: 3,
          focalpoint: { x: 0, y: 100 },
          caption: "C",
          mine: { deep: [1] },
          link: "/x",
        },
      ],
      [{ alt: "<img src=x onerror=alert(1)>", gone: null }, { alt: '<img src="x" />' }],
      ['{"alt":"J"}', { alt: "J" }],
    ],
    refused: ["a.jpg", [], 5],
    says: "It must be an object",
  },
  {
    rule: "FLD-25 gallery",
    definition: { type: "gallery" },
    kept: [
      [
        [{ name: "a.jpg", alt: "A" }, { name: "b.jpg" }],
        [{ name: "a.jpg", alt: "A" }, { name: "b.jpg" }],
      ],
      [[], []],
    ],
    refused: [{ name: "a.jpg" }, "a.jpg"],
    says: "It must be a list of images",
  },
  {
    rule: "FLD-25 depot",
    definition: { type: "depot" },
    kept: [
      [{}, { files: [] }],
      [
        {
          protected: true,
          files: [{ name: "2026", mime: "folder", files: [{ name: "a.pdf", mime: "application/pdf" }] }],
        },
        {
          protected: true,
          files: [{ name: "2026", mime: "folder", files: [{ name: "a.pdf", mime: "application/pdf" }] }],
        },
      ],
    ],
    refused: [[], "x"],
    says: "It must be an object with files",
  },
  {
    rule: "FLD-26 rating",
    definition: { type: "rating" },
    kept: [
      [
        { counts: [0, 1, 2], max: 3, total: 3, rating: 2.6 },
        { counts: [0, 1, 2], max: 3, total: 3, rating: 2.6 },
      ],
    ],
    refused: [{ counts: [0.5], max: 3, total: 3, rating: 2 }, { max: 3 }, { counts: [], max: 0, total: 0, rating: 0 }],
    says: "It must have counts, max, total and rating",
  },
];

for (const { rule, definition, kept, refused: bad = [], says } of cases) {
  for (const [sent, expected] of kept) {
    test(`${rule}: ${JSON.stringify(sent)} is kept as ${JSON.stringify(expected)}`, () => {
      const value = stored(definition, sent);
      assert.deepEqual(value, expected);
      assert.deepEqual(stored(definition, value as Json), expected);
    });
  }
  for (const sent of bad) {
    test(`${rule}: ${JSON.stringify(sent)?.slice(0, 60)} is refused`, () => {
      assert.deepEqual(refused(definition, sent), [says]);
    });
  }
}

test("FLD-19 every 8-bit colour comes back from its oklch value", () => {
  for (let i = 0; i < 4096; i++) {
    const hex = `#${((i * 4099) % 0x1000000).toString(16).padStart(6, "0")}`;
    const value = stored({ type: "color" }, hex) as { hex: string };
    assert.equal(value.hex, hex);
    assert.deepEqual(stored({ type: "color" }, value as Json), value);
  }
});

test("FLD-21 a key that is not a locale is refused by name", () => {
  assert.deepEqual(Object.keys(refusal(() => stored({ type: "localizedtext" }, { English: "x", de: [] }))), [
    "it.English",
    "it.de",
  ]);
});

const badMetadata: [string, Json][] = [
  ["focalpoint", { x: 101, y: 0 }],
  ["focalpoint", { x: 1 }],
  ["focalpoint", [1, 2]],
  ["width", -1],
  ["size", "big"],
  ["alt", 5],
  ["featured", "yes"],
  ["tags", "a,b"],
  ["link", "javascript:alert(1)"],
  ["link", " java\tscript:alert(1)"],
];
for (const [key, value] of badMetadata) {
  test(`FLD-24 image metadata ${key} ${JSON.stringify(value)} is refused`, () => {
    assert.deepEqual(Object.keys(refusal(() => stored({ type: "image" }, { [key]: value }))), [`it.${key}`]);
  });
}

test("FLD-39 a text with U+0000 is refused everywhere", () => {
  for (const [definition, value] of [
    [{ type: "string" }, "a\0b"],
    [{ type: "code" }, "\0"],
    [{ type: "list" }, ["a\0"]],
    [{ type: "json" }, { deep: ["\0"] }],
    [{ type: "image" }, { alt: "\0" }],
    [{ type: "object" }, { "a\0": 1 }],
  ] as [PropertyDefinition, Json][]) {
    assert.deepEqual(refused(definition, value), ["It contains a character that cannot be stored"]);
  }
  assert.deepEqual(stored({ type: "json" }, '{"a":"\\\\u0000"}'), { a: "\\u0000" });
});

test("FLD-44 textTransform changes the case of plain text only", () => {
  const transformed = (textTransform: string, text: string) =>
    stored({ type: "string", settings: { textTransform } }, text);
  assert.equal(transformed("lowercase", "ABC Déf"), "abc déf");
  assert.equal(transformed("uppercase", "abc"), "ABC");
  assert.equal(transformed("titlecase", "the OLD man"), "The Old Man");
  assert.equal(transformed("sentencecase", "HELLO THERE. next ONE"), "Hello there. Next one");
  assert.equal(transformed("smart-titlecase", "the iPhone"), "the iPhone");
  assert.equal(transformed("smart-titlecase", "THE PHONE"), "The Phone");
  assert.equal(transformed("smart-sentencecase", "all low"), "All low");
  assert.equal(transformed("uppercase", "<b>x</b>"), "<b>x</b>");
});
