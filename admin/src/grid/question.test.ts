import assert from "node:assert/strict";
import { test } from "node:test";
import { readState } from "./address.ts";
import { offeredColumns } from "./columns.ts";
import { questionOf, usualSortOf } from "./question.ts";

const columns = offeredColumns(
  {
    schema: {
      id: "post",
      properties: { title: { type: "string" }, content: { type: "string" } },
      required: [],
      index: ["title"],
    },
  },
  { id: "Id", created: "Created", modified: "Modified" },
);
const of = (...names: string[]) => columns.filter(({ property }) => names.includes(property));
const ask = (params: Record<string, string>, ...names: string[]) =>
  questionOf({ collection: "blog", state: readState(params), usualSort: "-title", needed: of(...names) });

test("indexed columns come from the query, with these alone", () => {
  assert.deepEqual(ask({ "filter[title]": "a" }, "id", "title"), {
    collection: "blog",
    isWhole: false,
    query: { include: "title,id", sort: "-title", "filter[title]": "a" },
  });
});

test("a slower column asks for whole objects, ascending unless the key says otherwise", () => {
  assert.deepEqual(ask({ sort: "title" }, "title", "content"), {
    collection: "blog",
    isWhole: true,
    query: { order: "asc", sort: "title" },
  });
});

test("a search without an order has the best matches first", () => {
  assert.deepEqual(ask({ search: " stone " }, "content").query, { search: "stone" });
  assert.deepEqual(ask({ search: "stone", sort: "title" }, "title").query, {
    include: "title",
    sort: "title",
    search: "stone",
  });
});

test("the usual order is the collection's; a property that is gone gives way to the id", () => {
  assert.equal(usualSortOf({ sortBy: "title", reverseSort: true }, columns), "-title");
  assert.equal(usualSortOf({ sortBy: "gone", reverseSort: false }, columns), "id");
});
