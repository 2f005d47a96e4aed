import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaRecord } from "#contract/schemas.ts";
import { createFlattener } from "#schemas/flatten.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { presentFound, shownProperties, titlePropertyOf } from "./titles.ts";

const schemaOf = (properties: SchemaRecord["properties"]): FlatSchema => {
  const record: SchemaRecord = { id: "s", properties, required: [], index: Object.keys(properties) };
  return createFlattener((id) => (id === "s" ? record : undefined), new Map())("s") as FlatSchema;
};
const text = { type: "string" };
const schema = schemaOf({ subject: text, label: text, photo: { type: "image" }, other: text });
const found = (entry: object) => presentFound({ id: "c", schema }, { id: "o", modified: "now", ...entry });

test("ADM-47 the title is the first property that names an object and is filled", () => {
  assert.deepEqual(found({ label: "", subject: " Hello " }), {
    ...{ collection: "c", id: "o", title: "Hello", modified: "now" },
  });
  assert.equal(found({ label: { en: "", de: "Hallo" }, subject: "Hello" }).title, "Hallo");
  assert.equal(found({ other: "Hello" }).title, "o");
  assert.equal(titlePropertyOf(schema), "label");
  assert.equal(titlePropertyOf(schemaOf({ other: text })), "id");
  assert.deepEqual(shownProperties(schema), ["label", "subject", "photo", "modified"]);
});

test("ADM-47 the image is a small form of the first indexed image", () => {
  const url = "/imageworks/c/o/photo.jpg?v=1";
  assert.equal(found({ photo: { name: "a.jpg", url } }).image, `${url}&w=80&h=80&fit=crop`);
  assert.equal(
    found({ photo: [{ url: "/imageworks/c/o/p/a.jpg" }] }).image,
    "/imageworks/c/o/p/a.jpg?w=80&h=80&fit=crop",
  );
  for (const wrong of [null, {}, [], { url: "https://elsewhere.test/" }])
    assert.equal(found({ photo: wrong }).image, undefined);
});
