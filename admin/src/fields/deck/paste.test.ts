import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { PropertyDefinition } from "@contract/schemas.ts";
import { readProperty } from "#fields/property.ts";
import { pastedValue, readPasted } from "./paste.ts";

test("ADM-316 rows and cells of a spreadsheet are read, with quotes around breaks", () => {
  deepEqual(readPasted("a\tb\r\nc\td\r\n"), [
    ["a", "b"],
    ["c", "d"],
  ]);
  deepEqual(readPasted('"two\nlines"\t"a ""word"""\nx'), [["two\nlines", 'a "word"'], ["x"]]);
  deepEqual(readPasted("\tb\n"), [["", "b"]]);
  deepEqual(readPasted('5" pipe'), [['5" pipe']]);
  deepEqual(readPasted("one"), [["one"]]);
});

test("ADM-316 pasted text becomes what the property stores; what does not fit stays as it was written", () => {
  const paste = (definition: PropertyDefinition, text: string) =>
    pastedValue(
      readProperty({ id: "s", properties: { p: definition }, required: [], index: [] }, "p", true),
      text,
      "en",
    );
  equal(paste({ type: "number" }, "1,234.5"), 1234.5);
  equal(paste({ type: "number" }, "a few"), "a few");
  equal(paste({ type: "boolean" }, "Yes"), true);
  equal(paste({ type: "boolean" }, ""), false);
  equal(paste({ type: "date", field: "date" }, "2027-03-01"), "2027-03-01T00:00:00.000Z");
  equal(paste({ field: "select", options: [{ label: "Large", value: "l" }] }, "Large"), "l");
  equal(paste({ type: "string" }, " as it is "), " as it is ");
  deepEqual(paste({ type: "list" }, "a, b"), ["a", "b"]);
  equal(paste({ type: "image" }, "x.jpg"), undefined);
  equal(paste({ type: "string", settings: { readonly: true } }, "x"), undefined);
});
