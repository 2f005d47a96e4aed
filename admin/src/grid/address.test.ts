import assert from "node:assert/strict";
import { test } from "node:test";
import { filterBody, nextSort, readState, withFilter, writeState } from "./address.ts";

const params = {
  search: "stone",
  sort: "-date,title",
  "filter[author]": "Ada",
  "filter[price][gt]": "5",
  columns: "title,author",
  layout: "cards",
};

test("the address holds the whole state and is read as it was written", () => {
  const state = readState(params);
  assert.deepEqual(state, {
    search: "stone",
    sort: [
      { property: "date", isDescending: true },
      { property: "title", isDescending: false },
    ],
    filters: [
      { property: "author", operator: "eq", value: "Ada" },
      { property: "price", operator: "gt", value: "5" },
    ],
    columns: ["title", "author"],
    layout: "cards",
  });
  assert.deepEqual(writeState(state), params);
});

test("what is the usual is not in the address; what others keep there stays", () => {
  const state = readState({ tab: "x", "filter[author]": "Ada", "filter[a][like]": "b" });
  assert.deepEqual(writeState({ ...state, filters: [] }, { tab: "x", search: "old" }), { tab: "x" });
});

test("a range is one filter, written as its two ends", () => {
  const range = { "filter[date][gte]": "2026-01-01", "filter[date][lte]": "2026-02-01" };
  const { filters } = readState(range);
  assert.deepEqual(filters, [{ property: "date", operator: "between", value: "2026-01-01", to: "2026-02-01" }]);
  assert.deepEqual(writeState(readState(range)), range);
  assert.deepEqual(filterBody(filters), { date: { gte: "2026-01-01", lte: "2026-02-01" } });
  assert.deepEqual(readState({ "filter[date][lte]": "2026-02-01" }).filters[0]?.operator, "lte");
});

test("a click sorts ascending, then descending, then as usual; with Shift the others stay", () => {
  const title = { property: "title", isDescending: false };
  const date = { property: "date", isDescending: true };
  assert.deepEqual(nextSort([], "title", false), [title]);
  assert.deepEqual(nextSort([title], "title", false), [{ ...title, isDescending: true }]);
  assert.deepEqual(nextSort([{ ...title, isDescending: true }], "title", false), []);
  assert.deepEqual(nextSort([date], "title", false), [title]);
  assert.deepEqual(nextSort([date], "title", true), [date, title]);
  assert.deepEqual(nextSort([date, title], "date", true), [title]);
});

test("a filter takes the place of the same one", () => {
  const ada = { property: "author", operator: "eq", value: "Ada" } as const;
  const range = { property: "author", operator: "between", value: "a", to: "b" } as const;
  assert.deepEqual(withFilter([ada], { ...ada, value: "Mia" }), [{ ...ada, value: "Mia" }]);
  assert.equal(withFilter([ada], { ...ada, operator: "contains" }).length, 2);
  assert.deepEqual(withFilter([{ ...ada, operator: "gte" }, ada], range), [ada, range]);
});
