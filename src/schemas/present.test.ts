import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaOf } from "./build.fixture.ts";
import { presentDocument } from "./present.ts";

const htmlclean = { enabled: true, allowedIframeDomains: [], allowedCssProperties: [], allowedTags: [] };
const times = { created: "2020-01-01T00:00:00.000Z", modified: "2021-01-01T00:00:00.000Z" };

test("FLD-80 dropped properties are gone, new ones have their default, the order is today's", () => {
  const schema = schemaOf(
    {
      added: { type: "string", default: "new" },
      date: { type: "date", default: "now" },
      title: { type: "string" },
      late: { type: "string" },
    },
    { required: ["late"], additionalProperties: false },
  );
  assert.deepEqual(
    Object.entries(presentDocument(schema, { id: "x", dropped: 1, title: "T" }, { ...times, htmlclean })),
    [
      ["id", "x"],
      ["added", "new"],
      ["date", times.modified],
      ["title", "T"],
      ["created", times.created],
      ["modified", times.modified],
    ],
  );
});

test("FLD-80 values are shown in today's type where they have a meaning in it, and hidden where they have none", () => {
  const schema = schemaOf(
    {
      number: { type: "number" },
      nonsense: { type: "number", default: 3 },
      list: { type: "list" },
      email: { type: "email" },
      url: { type: "url" },
      html: { field: "styledtext" },
      short: { type: "string", maxLength: 2 },
      when: { type: "date" },
      card: { field: "card", schemaref: "card" },
      deck: { field: "deck", schemaref: "card" },
    },
    {},
    { card: { n: { type: "number" }, s: { type: "string", required: true } } },
  );
  const shown = presentDocument(
    schema,
    {
      id: "x",
      number: "42",
      nonsense: "many",
      list: "a,b",
      email: "not an address",
      url: "javascript:alert(1)",
      html: "<script>alert(1)</script><b>x</b>",
      short: "longer",
      when: "whenever",
      card: { n: "x" },
      deck: [{ id: "a", n: 1, gone: 2 }, { n: 2 }, "text"],
    },
    { ...times, htmlclean },
  );
  assert.deepEqual(shown, {
    ...{
      id: "x",
      number: 42,
      nonsense: 3,
      list: ["a", "b"],
      email: "not an address",
      html: "<b>x</b>",
      short: "longer",
    },
    ...{ card: {}, deck: [{ id: "a", n: 1 }], ...times },
  });
});

test("FLD-80 nothing is generated or computed when an old document is shown", () => {
  const schema = schemaOf({
    code: { type: "string", settings: { autogen: "${uuid}" } },
    sum: { type: "number", settings: { calc: "1 + 1" } },
    updated: { type: "date", settings: { onUpdate: true } },
  });
  assert.deepEqual(presentDocument(schema, { id: "x", sum: 5 }, { ...times, htmlclean }), {
    id: "x",
    sum: 5,
    updated: times.modified,
    ...times,
  });
});

test("FLD-81 a present password is not shown, also inside cards and files (T4)", () => {
  const schema = schemaOf(
    { pin: { type: "password" }, card: { field: "card", schemaref: "card" }, file: { type: "file" } },
    {},
    { card: { pin: { field: "password" }, n: { type: "number" } } },
  );
  const stored = { id: "x", pin: "1234", card: { pin: "1234", n: 1 }, file: { name: "a", password: "1234" } };
  assert.deepEqual(presentDocument(schema, stored, { ...times, htmlclean }), {
    id: "x",
    card: { n: 1 },
    file: { name: "a" },
    ...times,
  });
});
