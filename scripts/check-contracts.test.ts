import assert from "node:assert/strict";
import { test } from "node:test";
import { checkContracts } from "./check-contracts.ts";

test("STO-101 a function of a table that no contract suite calls is reported", () => {
  const tables = "export function findA(db: Reader) {}\nexport async function deleteA(tx: Tx) {}\n";
  const files = new Map([
    ["src/storage/tables/a.ts", tables],
    ["src/storage/tables/a.contract.ts", 'import * as a from "./a.ts";\nawait a.findA(db);\n'],
  ]);
  assert.deepEqual(checkContracts(files), ["src/storage/tables/a.ts: no contract suite calls deleteA"]);
  files.set("src/storage/b.contract.ts", "await deleteA(tx);\n");
  assert.deepEqual(checkContracts(files), []);
});
