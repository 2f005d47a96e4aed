import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError, fail } from "#base/errors.ts";
import type { Json } from "#contract/json.ts";
import { isEmptyDefinition, Problems, readDefinition } from "./definition.ts";

function detailsOf(body: Json): object {
  try {
    readDefinition(body);
  } catch (error) {
    if (error instanceof CairnError && error.status === 422) return error.details ?? {};
    throw error;
  }
  return {};
}

test("SYNC-6 a definition may leave everything out, and comes bare or as data", () => {
  assert.ok(isEmptyDefinition(readDefinition({})));
  assert.deepEqual(readDefinition({ data: { schemas: [{ id: "a" }] } }).schemas, [{ id: "a" }]);
});

test("SYNC-6 collections are split into reserved and custom, or one list", () => {
  const { reserved, custom } = readDefinition({
    collections: { reserved: ["blog", { id: "text" }, "blog"] },
  }).collections;
  assert.deepEqual([reserved, custom], [["blog", { id: "text" }], []]);
  assert.deepEqual(readDefinition({ collections: [{ id: "news" }] }).collections, {
    reserved: [],
    custom: [{ id: "news" }],
  });
});

test("SYNC-8 everything that has the wrong form is named at its place", () => {
  const body = {
    name: 5,
    schemas: [{ id: "a" }, { id: "a" }, {}, 7],
    templates: [{ id: "t" }],
    collections: { custom: "x" },
    objects: [{ collection: "c", id: "o", data: [] }, { id: "o" }, { collection: "c" }],
  };
  assert.deepEqual(Object.keys(detailsOf(body)).sort(), [
    "collections.custom",
    "name",
    "objects.0.data",
    "objects.1.collection",
    "objects.2.id",
    "schemas.2.id",
    "schemas.3",
    "schemas.a",
    "templates.t.template",
  ]);
});

test("SYNC-8 an error of the item becomes its problem; one of the caller or the server does not", () => {
  const problems = new Problems();
  const refusal = (run: () => never): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  problems.addRefusal(
    "schemas.a",
    refusal(() => fail("invalid", "No.", { title: ["is bad"] })),
  );
  problems.addRefusal(
    "schemas.b",
    refusal(() => fail("not-found", "Gone.")),
  );
  assert.deepEqual({ ...problems.details }, { "schemas.a.title": ["is bad"], "schemas.b": ["Gone."] });
  for (const word of ["forbidden", "unauthenticated", "internal"] as const) {
    assert.throws(
      () =>
        problems.addRefusal(
          "x",
          refusal(() => fail(word)),
        ),
      CairnError,
    );
  }
});
