import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { readTyped, settingsOf, typedOf } from "./settings-form.ts";

const schema = {
  type: "object",
  required: ["token"],
  properties: {
    token: { type: "string", format: "secret", title: "Access token" },
    limit: { type: "integer", minimum: 1 },
    isOn: { type: "boolean" },
    mode: { enum: ["fast", 2] },
    tags: { type: "array", items: { type: "string" } },
    extra: { type: "object" },
    "a.b": { type: "string" },
    from: { type: "string", "x-control": "date" },
    place: { type: "object", "x-control": "acme/map:place" },
    files: { type: "array", "x-control": "gallery" },
  },
};
const stored = { token: { set: true }, limit: 5, isOn: true, mode: 2, tags: ["x"], extra: { a: 1 } };

test("ADM-1113 a schema of settings becomes controls, and what is typed becomes values", () => {
  const settings = settingsOf(schema, stored);
  deepEqual(
    settings.map(({ control }) => control),
    ["secret", "number", "boolean", "choice", "list", "json", "text", "field", "field", "list"],
  );
  deepEqual(settings[0]?.label, "Access token");
  equal(settings[0]?.isSet, true);
  const typed = typedOf(settings, stored);
  deepEqual(typed, {
    ...{ token: "", limit: "5", isOn: true, mode: "2", tags: ["x"], extra: '{\n  "a": 1\n}', "a/b": "" },
    ...{ from: "", place: "", files: [] },
  });

  deepEqual(readTyped(settings, stored, {}).body, stored);
  const changes = { token: "new", limit: " 1,5 ", mode: '"fast"', extra: "", "a/b": "text" };
  deepEqual(readTyped(settings, stored, changes).body, {
    ...{ token: "new", limit: 1.5, isOn: true, mode: "fast", tags: ["x"], "a.b": "text" },
  });
  const fields = readTyped(settings, { ...stored, from: "2026-01-01" }, { from: null, place: { lat: 1 } }).body;
  deepEqual([fields.place, "from" in fields], [{ lat: 1 }, false]);
  equal("token" in readTyped(settings, stored, { token: null }).body, false);
  const { problems } = readTyped(settings, stored, { limit: "many", extra: "{" });
  deepEqual(
    [...problems].map(([{ key }, problem]) => [key, problem]),
    [
      ["limit", "notANumber"],
      ["extra", "notJson"],
    ],
  );
});
