// Objects that are stored under former names of properties, among others that are moved already.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { service } from "#lanes/caller.ts";
import { firstPage, operand, type Sample, seed, selectionOf, where } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import { findByValue } from "#storage/tables/objects.ts";
import { cases, samples } from "./select.contract.ts";
import { selectObjects } from "./select.ts";
import type { Operand, Selection } from "./selection.ts";
import { askValues } from "./values.ts";

/** Every second object has its properties under their new names. */
function halfMoved({ idx, more, ...sample }: Sample, at: number): Sample {
  if (at % 2 === 0) return { ...sample, ...(idx && { idx }), ...(more && { more }) };
  const renamed = (values: Sample["idx"] = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name === "draft" ? name : `${name}-now`, value]));
  return { ...sample, idx: renamed(idx), more: renamed(more) };
}

function moved(on: Operand): Operand {
  return on.source === "column" ? on : { ...on, property: `${on.property}-now`, former: [on.property] };
}

const orders: [on: Operand, descending: boolean, ids: string][] = [
  [operand("price", "number"), false, "cherry banana apple fig grape honey dragon empty"],
  [operand("sold", "boolean"), true, "cherry empty grape honey apple dragon banana fig"],
  [operand("date", "date"), false, "apple banana dragon cherry empty fig grape honey"],
  [operand("title", "text"), true, "empty cherry grape honey fig banana apple dragon"],
  [operand("tags", "list"), false, "dragon apple cherry fig banana empty grape honey"],
  [operand("pieces", "number", "document"), true, "apple banana cherry dragon empty fig honey grape"],
];

export function formerContract(database: () => Storage): void {
  const all = selectionOf("moving");
  const ids = async (selection: Selection) =>
    (await selectObjects(database(), selection, firstPage)).map((row) => row.id).join(" ");

  before(() => seed(database(), "moving", samples.map(halfMoved)));

  test("STO-103 conditions hold for values under a former name", async () => {
    for (const [name, [on, operator, ...values], expected] of cases) {
      const conditions = [where(moved(on), operator, ...values)];
      assert.equal(await ids({ ...all, include: conditions }), expected, name);
      const rest = samples.map(({ id }) => id).filter((id) => !expected.split(" ").includes(id));
      assert.equal(await ids({ ...all, exclude: conditions }), rest.join(" "), `exclude: ${name}`);
    }
  });

  test("STO-103 values under a former name are in the order, among the choices, and equal to others", async () => {
    for (const [on, descending, expected] of orders)
      assert.equal(await ids({ ...all, sort: [{ operand: moved(on), descending }] }), expected, on.property);
    const question = { selection: all, names: ["tags-now", "tags"], search: "fr", limit: 9, caller: service };
    const counted = await askValues(database(), question);
    assert.deepEqual(
      counted.map(({ value, count }) => `${value} ${count}`),
      ["Fruit 1", "fruit 1"],
    );
    const unique = { collection: "moving", property: "price-now", former: ["price"], exceptId: "" };
    assert.deepEqual(
      [await findByValue(database(), unique, 3), await findByValue(database(), unique, 30)],
      ["grape", "honey"],
    );
  });
}
