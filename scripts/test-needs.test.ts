// Tests whose needs are not met are left out, and named.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Need, withNeeds } from "./test-needs.ts";
import type { Part } from "./test-parts.ts";

const admin: Part = { name: "admin", engine: "sqlite", files: ["tests/admin/form.test.ts"], atLeast: 1 };
const http: Part = {
  name: "http",
  engine: "sqlite",
  files: ["tests/http/a.test.ts", "tests/http/b.test.ts"],
  atLeast: 2,
};

function missing(name: string, isNeededBy: Need["isNeededBy"]): Need {
  return {
    name,
    isNeededBy,
    ensure() {
      throw new Error(`The tests need the package ${name}: install it.`);
    },
  };
}

test("files of a missing package are left out, and counted once", () => {
  const known = [
    missing("browser", ({ name }) => name === "admin"),
    missing("letters", ({ name }, file) => name === "admin" || file === "tests/http/b.test.ts"),
    missing("unused", () => false),
  ];
  const { parts, missing: names } = withNeeds([admin, http], { isStrict: false, known });
  assert.deepEqual(parts, [{ ...http, files: ["tests/http/a.test.ts"], atLeast: 0 }]);
  assert.deepEqual(names, [
    { name: "browser", leftOut: [admin] },
    { name: "letters", leftOut: [{ ...http, files: ["tests/http/b.test.ts"], atLeast: 0 }] },
  ]);
});

test("a strict run fails when a package is missing", () => {
  const known = [missing("browser", ({ name }) => name === "admin")];
  assert.throws(() => withNeeds([admin, http], { isStrict: true, known }), /browser/);
  assert.deepEqual(withNeeds([http], { isStrict: true, known }).parts, [http]);
});
