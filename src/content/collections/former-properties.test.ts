import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaRecord } from "#contract/schemas.ts";
import { endedNames, keepFormerNames } from "./former-properties.ts";

/** `b<a,c` is a property b that was called a and c. */
function recordOf(text: string): SchemaRecord {
  const properties = text.split(" ").map((part) => {
    const [name = "", former] = part.split("<");
    return [name, { type: "string", ...(former && { formerly: former.split(",") }) }];
  });
  return { id: "s", properties: Object.fromEntries(properties), required: [], index: [] };
}

const cases: [stored: string, sent: string, saved: string, ended: string][] = [
  ["a", "b<a", "b<a", ""],
  ["b<a", "b", "b<a", ""],
  ["b<a", "b c", "b<a c", ""],
  ["b<a", "c<b,a", "c<b,a", ""],
  // Back to the old name, by a rename and by an older schema.
  ["b<a", "a<b,a", "a<b", ""],
  ["b<a", "a", "a<b", ""],
  ["c<b,a", "a", "a<c,b", ""],
  // The old name is another property now, or the property is gone.
  ["b<a", "b a", "b a", "a"],
  ["b<a", "x", "x", "a"],
  ["b<a", "x<a", "x<a", ""],
];

for (const [stored, sent, saved, ended] of cases)
  test(`ADM-563 ${stored} saved as ${sent} is ${saved}`, () => {
    const after = keepFormerNames(recordOf(sent), recordOf(stored));
    const shown = Object.entries(after.properties).map(([name, { formerly }]) =>
      formerly ? `${name}<${formerly.join()}` : name,
    );
    assert.equal(shown.join(" "), saved);
    assert.equal(endedNames(recordOf(stored), after).join(" "), ended);
  });
