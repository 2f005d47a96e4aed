import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "#contract/json.ts";
import { build, refusal, schemaOf } from "#schemas/build.fixture.ts";

const order = schemaOf(
  {
    address: { field: "card", schemaref: "address" },
    lines: { field: "deck", schemaref: "line", label: "Lines" },
    open: { field: "deck" },
  },
  {},
  {
    address: {
      city: { type: "string", required: true },
      country: { type: "string", default: "CH" },
      zip: { type: "integer" },
    },
    line: {
      id: { field: "id", settings: { autogen: "${name}" } },
      name: { type: "string", required: true, label: "Name" },
      qty: { type: "integer", default: 1 },
      contact: { field: "card", schemaref: "address" },
    },
  },
);

const lines = (value: Json): Json | undefined => build(order, { lines: value }).document.lines;

test("FLD-27 a card is checked by its schema and gets its defaults", () => {
  assert.deepEqual(build(order, { address: { city: "Bern", zip: "3000", more: 1 } }).document.address, {
    city: "Bern",
    country: "CH",
    zip: 3000,
  });
  assert.deepEqual(build(order, { address: '{"city":"Bern"}' }).document.address, { city: "Bern", country: "CH" });
  assert.deepEqual(Object.keys(refusal(() => build(order, { address: { zip: "x" } }))).sort(), [
    "address.city",
    "address.zip",
  ]);
  for (const bad of ["Bern", 5, []])
    assert.deepEqual(Object.keys(refusal(() => build(order, { address: bad }))), ["address"]);
});

test("FLD-27 a card that was not sent is absent, whatever its schema requires", () => {
  assert.equal("address" in build(order, {}).document, false);
});

test("FLD-28 items keep their order, as an array or as an object by id", () => {
  const expected = [
    { id: "z", name: "Z", qty: 2 },
    { id: "a", name: "A", qty: 1 },
  ];
  assert.deepEqual(
    lines([
      { id: "z", name: "Z", qty: "2" },
      { id: "a", name: "A" },
    ]),
    expected,
  );
  assert.deepEqual(lines({ z: { name: "Z", qty: 2 }, a: { name: "A" } }), expected);
  assert.deepEqual(lines(expected), expected);
  assert.deepEqual(lines(""), []);
});

test("FLD-28 an item is checked by its schema, with the item's id in the path", () => {
  const sent = [{ id: "a", qty: 1.5 }, { id: "b", name: "B", contact: { zip: 1 } }, "x"];
  assert.deepEqual(
    refusal(() => build(order, { lines: sent })),
    {
      "lines.a.name": ["Name is required"],
      "lines.a.qty": ["Qty must be a whole number"],
      "lines.b.contact.city": ["City is required"],
      "lines.2": ["Items must be objects"],
    },
  );
  assert.deepEqual(
    refusal(() => build(order, { lines: 5 })),
    { lines: ["Lines must be a list of items"] },
  );
});

test("FLD-10 an item that was sent without an id is named by its place", () => {
  const sent = [
    { name: "Pen" },
    { qty: "x" },
    { id: "own", qty: "y", name: "z" },
    { name: "Cup", contact: { zip: "q" } },
  ];
  const details = refusal(() => build(order, { lines: sent }));
  assert.deepEqual(Object.keys(details).sort(), [
    "lines.1.name",
    "lines.1.qty",
    "lines.3.contact.city",
    "lines.3.contact.zip",
    "lines.own.qty",
  ]);
});

test("FLD-29 a missing item id is generated, by the item schema or at random", () => {
  assert.deepEqual(lines([{ name: "Red Pen" }, { name: "Red Pen" }, { id: "red_pen_3", name: "X" }]), [
    { id: "red_pen", name: "Red Pen", qty: 1 },
    { id: "red_pen_2", name: "Red Pen", qty: 1 },
    { id: "red_pen_3", name: "X", qty: 1 },
  ]);
  const [item] = build(order, { open: [{ any: "thing" }] }).document.open as [{ id: string; any: string }];
  assert.match(item.id, /^[0-9a-z]{12}$/);
  assert.equal(item.any, "thing");
});

for (const id of ["a b", "a/b", "..", "é", "__proto__", "constructor", "prototype", true, "x".repeat(201)]) {
  test(`FLD-29 the item id ${JSON.stringify(id).slice(0, 20)} is refused (T9)`, () => {
    assert.deepEqual(Object.keys(refusal(() => lines([{ id, name: "N" }]))), ["lines.0.id"]);
  });
}

test("FLD-29 an item id occurs once; numbers are ids too", () => {
  assert.deepEqual(
    refusal(() =>
      lines([
        { id: "a", name: "1" },
        { id: "a", name: "2" },
      ]),
    ),
    { "lines.a.id": ["The item id a occurs twice"] },
  );
  assert.deepEqual(lines([{ id: 7, name: "N" }]), [{ id: "7", name: "N", qty: 1 }]);
});

test("FLD-36 transport fields and unknown keys of items are dropped (T8)", () => {
  assert.deepEqual(lines([{ id: "a", name: "N", csrf_token: "c", zzz: 1 }]), [{ id: "a", name: "N", qty: 1 }]);
});
