import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaRecord } from "@contract/schemas.ts";
import { firstColumns, isMedia, offeredColumns, shownColumns, widthOf } from "./columns.ts";

const labels = { id: "Id", created: "Created", modified: "Modified" };
const schema: SchemaRecord = {
  id: "post",
  properties: {
    id: { type: "slug", label: "Address" },
    title: { type: "string", label: "Title" },
    draft: { type: "boolean", label: "Draft" },
    date: { type: "date", label: "Date" },
    author: { type: "string" },
    content: { type: "string", field: "styledtext", label: "Content" },
    tags: { type: "list", label: "Tags" },
    image: { type: "image", label: "Image" },
    price: { type: "number", label: "Price" },
  },
  required: [],
  index: ["id", "title", "image", "date", "draft", "author", "tags", "content"],
};
const columns = offeredColumns({ schema }, labels);

test("indexed properties come first, then what every object has, then the slower ones", () => {
  assert.deepEqual(
    columns.map(({ property, label, isIndexed }) => `${property} ${label}${isIndexed ? "" : " slow"}`),
    [
      "id Address",
      "title Title",
      "image Image",
      "date Date",
      "draft Draft",
      "author author",
      "tags Tags",
      "content Content",
      "created Created",
      "modified Modified",
      "price Price slow",
    ],
  );
});

test("at first the image, the title and short properties are shown, and when it was changed", () => {
  assert.deepEqual(firstColumns(columns, "title"), ["image", "title", "date", "author", "tags", "modified"]);
});

test("the address wins over what was kept; names that are gone are left out", () => {
  const names = (...chosen: (string[] | undefined)[]) =>
    shownColumns(columns, chosen, "title").map(({ property }) => property);
  assert.deepEqual(names(["title", "gone"], ["date"]), ["title"]);
  assert.deepEqual(names(undefined, ["date", "date"]), ["title", "date"]);
  assert.deepEqual(names(["gone"], undefined), firstColumns(columns, "title"));
});

test("a width that was kept wins over the usual one of the type", () => {
  const date = columns.find(({ property }) => property === "date");
  assert.ok(date);
  assert.equal(widthOf(date, undefined), 130);
  assert.equal(widthOf(date, { date: 300 }), 300);
});

test("collections that are mostly images begin as cards", () => {
  const album = {
    ...schema,
    properties: { id: { type: "slug" }, title: { type: "string" }, image: { type: "image" } },
  };
  assert.ok(isMedia({ schema: album }));
  assert.ok(!isMedia({ schema }));
});
