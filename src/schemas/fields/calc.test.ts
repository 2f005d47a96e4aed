import assert from "node:assert/strict";
import { test } from "node:test";
import { calculate } from "#rules/calc.ts";
import { build, schemaOf } from "#schemas/build.fixture.ts";

const values = {
  a: 6,
  b: "2.5",
  text: "x",
  items: [{ price: 10 }, { price: 5.5 }, {}],
  none: [],
  card: { n: 3 },
  big: 1e21,
};

const cases: [string, number | undefined][] = [
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["-2 * -(3 - 1)", 4],
  ["10 % 4", 2],
  ["2 - 3 - 4", -5],
  ["12 / 3 / 2", 2],
  ["${a} * ${b}", 15],
  ["${missing} + ${text} + 1", 1],
  ["5 / 0 + 5 % 0", 0],
  ["0.1 + 0.2", 0.3],
  ["round(2.345, 2)", 2.35],
  ["round(1.005, 2)", 1.01],
  ["round(-2.5)", -3],
  ["floor(2.9) + ceil(2.1) + abs(-4)", 9],
  ["min(3, 1, 2) + max(3, 1, 2)", 4],
  ["sum(${items.price})", 15.5],
  ["avg(${items.price}, 4.5)", 5],
  ["count(${items.price})", 3],
  ["count(${absent.price}) + sum(${absent.price}) + avg(${absent.price}) + ${absent.price}", 0],
  ["count(${none.price}) + sum(${none.price}) + avg() + max()", 0],
  ["${card.n} * 2", 6],
  ["${big} * 10", 1e22],
  ["1e3 + .5", 1000.5],
  ["-0", 0],
  ["${items.price} * 2", undefined],
  ["1 +", undefined],
  ["1 2", undefined],
  ["(1", undefined],
  ["eval(1)", undefined],
  ["constructor(1)", undefined],
  ["process.exit()", undefined],
  ["", undefined],
  ["1e308 * 10", undefined],
  ["1.2.3", undefined],
  [`${"(".repeat(60)}1${")".repeat(60)}`, undefined],
  ["1+".repeat(600), undefined],
];

for (const [source, expected] of cases) {
  test(`FLD-42 ${source.slice(0, 60)} is ${expected}`, () => assert.equal(calculate(source, values), expected));
}

test("FLD-42 a computed value overrides the sent one, items before the object", () => {
  const schema = schemaOf(
    {
      total: { type: "number", settings: { calc: "sum(${lines.sum}) * (1 + ${vat} / 100)" } },
      vat: { type: "number" },
      lines: { field: "deck", schemaref: "line" },
      whole: { type: "integer", settings: { calc: "${total} / 2" } },
    },
    {},
    {
      line: {
        qty: { type: "number" },
        price: { type: "number" },
        sum: { type: "number", settings: { calc: "${qty} * ${price}" } },
      },
    },
  );
  const { document } = build(schema, {
    total: "nonsense",
    vat: 10,
    lines: [
      { id: "a", qty: 2, price: 5, sum: 99 },
      { id: "b", qty: 1, price: 3 },
    ],
  });
  assert.equal(document.total, 14.3);
  assert.equal(document.whole, 7);
  assert.deepEqual(Object.keys(document), ["id", "total", "vat", "lines", "whole", "created", "modified"]);
});

test("FLD-42 the result is held between settings.min and settings.max", () => {
  const schema = schemaOf({
    high: { type: "number", settings: { calc: "100", max: 10 } },
    low: { type: "number", settings: { calc: "-5", min: 0 } },
  });
  const { document } = build(schema, {});
  assert.deepEqual([document.high, document.low], [10, 0]);
});

test("FLD-42 an expression that cannot be read leaves the value", () => {
  const schema = schemaOf({ n: { type: "number", settings: { calc: "((" } } });
  assert.equal(build(schema, { n: 5 }).document.n, 5);
  assert.equal("n" in build(schema, {}).document, false);
});
