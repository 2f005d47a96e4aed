import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaRecord } from "#contract/schemas.ts";
import { fillSettings } from "./collection-settings.ts";
import { renamedConfig, renamedRecord, renamedUser } from "./renamed-names.ts";

const rename = { from: "a-b", to: "c" };

test("ADM-563 what names the property in a schema follows, and nothing that only looks like it", () => {
  const settings = (name: string) => ({
    autogen: `\${${name}}-\${ ${name} }-\${a}-a-b`,
    calc: `sum(\${${name}.price}) + \${a-b2}`,
    visibility: { watch: name, operator: "==", value: "a-b" },
  });
  const record = (name: string): SchemaRecord => ({
    id: "s",
    properties: { [name]: { type: "string", label: "a-b" }, d: { settings: settings(name) } },
    required: [name, "d"],
    index: ["d", name],
    formgrid: `a-b2  ${name}\\n${name} .\r\n--- a-b\n[[ a-b\n${name}\n]]`,
  });
  const expected = record("c");
  expected.properties.c = { ...expected.properties.c, formerly: ["a-b"] };
  assert.deepEqual(renamedRecord(record("a-b"), rename), expected);
});

test("ADM-563 the labels of items follow in schemas whose decks have the shape, and in no others", () => {
  const record = (name: string): SchemaRecord => ({
    id: "s",
    properties: {
      own: { type: "deck", schemaref: "shape", deckItemLabel: `\${${name}}` },
      other: { type: "deck", schemaref: "another", deckItemLabel: `\${a-b}` },
    },
    required: [],
    index: [],
  });
  assert.deepEqual(renamedUser(record("a-b"), "shape", rename), record("c"));
});

test("ADM-563 order, address, overrides, views and saved queries of a collection follow", () => {
  const config = (name: string) =>
    fillSettings({
      id: "x",
      schema: "s",
      sortBy: name,
      url: `/a-b/{${name}|raw}/{{ ${name} | upper }}/{a}`,
      properties: { [name]: { label: "a-b" }, d: {} },
      customProperties: { "a-b": { [name]: {} } },
      mcp: {
        access: "admin",
        tools: [{ id: "q", filters: { [name]: { value: "a-b" } }, sort: `d,-${name}`, include: `${name}:a-b, d` }],
      },
      views: [{ name: "a-b", query: "search=a-b" }],
    });
  assert.deepEqual(renamedConfig(config("a-b"), rename), config("c"));
});
