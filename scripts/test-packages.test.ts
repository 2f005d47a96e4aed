// Tests whose packages are missing are left out, and named.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Package, withPackages } from "./test-packages.ts";
import type { Part } from "./test-parts.ts";

const admin: Part = { name: "admin", engine: "sqlite", files: ["tests/admin/form.test.ts"], atLeast: 1 };
const http: Part = {
  name: "http",
  engine: "sqlite",
  files: ["tests/http/a.test.ts", "tests/http/b.test.ts"],
  atLeast: 2,
};

function missing(name: string, isNeededBy: Package["isNeededBy"]): Package {
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
  const { parts, missing: names } = withPackages([admin, http], { isStrict: false, known });
  assert.deepEqual(parts, [{ ...http, files: ["tests/http/a.test.ts"], atLeast: 0 }]);
  assert.deepEqual(names, [
    { name: "browser", left: 1 },
    { name: "letters", left: 1 },
  ]);
});

test("a strict run fails when a package is missing", () => {
  const known = [missing("browser", ({ name }) => name === "admin")];
  assert.throws(() => withPackages([admin, http], { isStrict: true, known }), /browser/);
  assert.deepEqual(withPackages([http], { isStrict: true, known }).parts, [http]);
});
