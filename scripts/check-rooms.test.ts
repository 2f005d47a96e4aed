// The guard must be able to bark: each rule of check-rooms.ts once broken, and one clean tree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRooms, parseImports } from "./check-rooms.ts";

const tree = (files: Record<string, string>) => checkRooms(new Map(Object.entries(files)));

test("a clean tree has no problems", () => {
  const problems = tree({
    "src/contract/json.ts": "export type Json = string;\n",
    "src/base/ids.ts": 'import { randomUUID } from "node:crypto";\nimport type { Json } from "#contract/json.ts";\n',
    "src/schemas/build.ts": 'import { uid } from "#base/ids.ts";\nimport Ajv from "ajv/dist/2020.js";\n',
  });
  assert.deepEqual(problems, []);
});

const broken: [name: string, files: Record<string, string>, problem: RegExp][] = [
  [
    "an import against the direction",
    { "src/base/a.ts": 'import { b } from "#content/b.ts";\n', "src/content/b.ts": "" },
    /base may not import content/,
  ],
  [
    "a door that reaches storage",
    { "src/http/a.ts": 'import type { Tx } from "#storage/port.ts";\n', "src/storage/port.ts": "" },
    /http may not import storage/,
  ],
  [
    "a run-time import where types are allowed",
    { "src/context.ts": 'import { b } from "#storage/b.ts";\n', "src/storage/b.ts": "" },
    /context may not import storage at run time/,
  ],
  [
    "an import spread over lines",
    { "src/base/a.ts": 'import {\n  b,\n  c,\n} from "#http/b.ts";\n', "src/http/b.ts": "" },
    /base may not import http/,
  ],
  [
    "a dynamic import",
    { "src/base/a.ts": 'const b = await import("#http/b.ts");\n', "src/http/b.ts": "" },
    /base may not import http/,
  ],
  [
    "a widget of the admin that knows a page",
    { "admin/src/ui/A.tsx": 'import { B } from "#pages/B.tsx";\n', "admin/src/pages/B.tsx": "" },
    /ui may not import pages/,
  ],
  [
    "an admin that reaches into the server",
    { "admin/src/api/a.ts": 'import { b } from "../../../src/base/b.ts";\n' },
    /use #room/,
  ],
  ["a computed import", { "src/base/a.ts": "await import(name);\n" }, /computed name/],
  ["a way up", { "src/http/routes/a.ts": 'import { b } from "../b.ts";\n' }, /use #room/],
  ["an unknown room", { "src/misc/a.ts": "" }, /no known room/],
  ["a default export", { "src/base/a.ts": "export default 1;\n" }, /default export/],
  ["a barrel", { "src/base/a.ts": 'export * from "./b.ts";\n', "src/base/b.ts": "" }, /passes on/],
  ["a long file", { "src/base/a.ts": "\n".repeat(501) }, /501 lines/],
  ["an engine's name", { "src/content/a.ts": "// works on SQLite\n" }, /names a database engine/],
  ["an engine's name in shared SQL", { "src/storage/query/a.ts": "// not on PostgreSQL\n" }, /names a database engine/],
  ["a foreign package", { "src/content/a.ts": 'import fastify from "fastify";\n' }, /belongs to http/],
  ["a package that nobody owns", { "src/base/a.ts": 'import leftpad from "left-pad";\n' }, /no owner room/],
  [
    "a built-in with an owner",
    { "src/content/a.ts": 'import { DatabaseSync } from "node:sqlite";\n' },
    /belongs to storage/,
  ],
  [
    "a cycle",
    { "src/base/a.ts": 'import "./b.ts";\n', "src/base/b.ts": 'import "./a.ts";\n' },
    /import cycle: src\/base\/a.ts -> src\/base\/b.ts -> src\/base\/a.ts/,
  ],
  [
    "a cycle of types",
    { "src/base/a.ts": 'import type { B } from "./b.ts";\n', "src/base/b.ts": 'import type { A } from "./a.ts";\n' },
    /import cycle: src\/base\/a.ts -> src\/base\/b.ts -> src\/base\/a.ts/,
  ],
  [
    "a crowded folder",
    Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`src/base/f${at}.ts`, ""])),
    /src\/base: 31 files; group them/,
  ],
  ["a missing file", { "src/base/a.ts": 'import "./b.ts";\n' }, /not there/],
  ["a test that reaches inside", { "tests/http/a.test.ts": 'import { b } from "#content/b.ts";\n' }, /black box/],
];

for (const [name, files, problem] of broken) {
  test(`${name} is found`, () => {
    assert.match(tree(files).join("\n"), problem);
  });
}

test("the context and the parts that it hands around may name each other's types", () => {
  assert.deepEqual(
    tree({
      "src/context.ts": 'import type { Storage } from "#storage/port.ts";\n',
      "src/storage/port.ts": 'import type { Json } from "#contract/json.ts";\n',
      "src/access/actor.ts": 'import type { App } from "#context.ts";\n',
      "src/contract/json.ts": "",
    }),
    [],
  );
});

test("a room may not hold more than its share of the code", () => {
  const names = ["contract", "base", "config", "storage", "files", "jobs", "sandbox", "access", "schemas", "content"];
  const files = (lines: (room: string) => number) =>
    Object.fromEntries(names.map((room) => [`src/${room}/a.ts`, "\n".repeat(lines(room))]));
  assert.deepEqual(tree(files(() => 100)), []);
  assert.match(
    tree(files((room) => (room === "jobs" ? 200 : 100)))[0] ?? "",
    /src\/jobs: 18.2 % of the code \(12 % at most\)/,
  );
});

test("words inside of texts and comments are no imports", () => {
  assert.deepEqual(
    parseImports('// import x from "y";\nconst a = "from";\nexport const b = "c";\nexport type D = "e" | "f";\n'),
    [],
  );
});
