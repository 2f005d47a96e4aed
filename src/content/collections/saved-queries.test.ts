import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#contract/json.ts";
import { queryParamsOf, type SavedQuery, savedQueriesOf, savedQueriesProblem } from "./saved-queries.ts";

const good: JsonObject = {
  id: "latest_news",
  description: "The newest notes about something.",
  params: {
    topic: { type: "string", required: true, description: "What about" },
    since: { type: "string" },
    least: { type: "integer", default: 3 },
  },
  filters: {
    tags: { value: "{{params.topic}}" },
    date: { value: "{{ params.since }}", operator: "gte" },
    rank: { value: "{{params.least}}", operator: "gte" },
    title: { value: "On {{params.topic}}: {{params.since}}", operator: "starts" },
    kind: { value: "news" },
  },
  sort: "date:desc",
  limit: 5,
};
const problem = (change: JsonObject) => savedQueriesProblem({ latest_news: { ...good, ...change } });
const query = savedQueriesOf({ tools: { latest_news: good } })[0] as SavedQuery;

test("MCT-60 saved queries are read from an object keyed by id or from a list", () => {
  assert.deepEqual(savedQueriesOf({ tools: [good] }), [query]);
  assert.deepEqual([query.limit, query.offset, query.format, query.sort], [5, 0, "markdown", "date:desc"]);
  assert.deepEqual(savedQueriesOf({}), []);
  assert.equal(savedQueriesProblem({ latest_news: good }), undefined);
});

test("MCT-61 a saved query that cannot be used is refused with the reason", () => {
  for (const [change, reason] of [
    [{ id: "other" }, /its id must be its key/],
    [{ description: "" }, /needs a description/],
    [{ description: "x".repeat(1_025) }, /at most 1024/],
    [{ limit: 51 }, /limit is a whole number from 1 to 50/],
    [{ limit: 0 }, /limit/],
    [{ limit: "5" }, /limit/],
    [{ offset: -1 }, /offset/],
    [{ format: "pdf" }, /format is one of/],
    [{ params: { topic: { type: "date" } } }, /params.topic.type/],
    [{ params: { "a b": { type: "string" } } }, /not a name/],
    [{ params: { topic: { type: "string", default: 1 } } }, /default/],
    [{ params: { topic: { type: "string", enum: [1] } } }, /enum/],
    [{ filters: { a: { value: "{{params.who}}" } } }, /undeclared param who/],
    [{ filters: { a: { value: "x", operator: "like" } } }, /operator is one of/],
    [{ filters: { a: "x" } }, /filters.a must be an object/],
    [{ include: "status:{{params.topic}}" }, /no placeholders/],
  ] as [JsonObject, RegExp][])
    assert.match(problem(change) ?? "", reason, JSON.stringify(change));
  assert.match(savedQueriesProblem({ "Big-Name": { ...good, id: "Big-Name" } }) ?? "", /lower-case/);
  assert.match(savedQueriesProblem({ ["a".repeat(65)]: { ...good, id: "a".repeat(65) } }) ?? "", /at most 64/);
  assert.match(savedQueriesProblem([good, good]) ?? "", /twice/);
  assert.match(savedQueriesProblem("x") ?? "", /must be an object/);
});

test("MCT-62 params are filled in as whole values or inside a text; a filter whose optional param is absent is dropped", () => {
  assert.deepEqual(queryParamsOf(query, { topic: "snow" }), {
    filter: { tags: { eq: "snow" }, rank: { gte: "3" }, kind: { eq: "news" } },
    limit: "5",
    offset: "0",
    sort: "date:desc",
  });
  assert.deepEqual(queryParamsOf(query, { topic: "a{{params.since}}", since: "2026-01-01", least: 9 }).filter, {
    tags: { eq: "a{{params.since}}" },
    date: { gte: "2026-01-01" },
    rank: { gte: "9" },
    title: { starts: "On a{{params.since}}: 2026-01-01" },
    kind: { eq: "news" },
  });
});
