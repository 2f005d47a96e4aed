import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createLog } from "#base/log.ts";
import { openTestContext } from "#context.fixture.ts";
import { openDefinitions } from "#files/definition-files.ts";
import { customSchemaIds, findFlatSchema, findRawSchema } from "#schemas/find-schema.ts";
import { lintSchemas } from "./lint.ts";

const dataDir = mkdtempSync(join(tmpdir(), "cairn-lint-"));
const folder = join(dataDir, ".schemas");
mkdirSync(folder);
const { ctx, close } = await openTestContext(dataDir);
const { schemaFiles } = ctx;

after(async () => {
  await close();
  rmSync(dataDir, { recursive: true, force: true });
});

const id = { $ref: "slug", field: "id", help: "Names it." };

/** As an editor would: whatever the text is. */
function write(name: string, content: unknown): void {
  writeFileSync(join(folder, `${name}.json`), typeof content === "string" ? content : JSON.stringify(content));
  void schemaFiles.refresh();
}

async function findings(name: string): Promise<string[]> {
  return (await lintSchemas(ctx, name)).map(
    ({ level, property, message }) => `${level} ${property ?? "-"}: ${message}`,
  );
}

test("SCH-80 lint names invalid parts", async () => {
  write("errors", {
    description: "x",
    inheritFrom: ["nobody"],
    properties: {
      title: { type: "string", minLength: "five", pattern: "(?=a)", help: "x" },
      deck: { type: "deck", schemaref: "nowhere", help: "x" },
      pics: { type: "card", schemaref: "gallery", help: "x" },
    },
    required: ["ghost"],
    index: ["spirit"],
  });
  const found = (await findings("errors")).join("\n");
  for (const expected of [
    /^error title: minLength must be a whole number/m,
    /^error title: pattern cannot be used/m,
    /^error pics: .*gallery/m,
    /^error deck: The shape "nowhere" does not exist$/m,
    /^error -: No property id is defined$/m,
    /^error ghost: required names/m,
    /^error spirit: index names/m,
    /^error -: inheritFrom names "nobody"/m,
  ]) {
    assert.match(found, expected);
  }
  assert.doesNotMatch(found, /^warning/m);
});

test("SCH-80 lint reports unreadable files and files in the place of a built-in schema", async () => {
  write("torn", '{"id":');
  write("blog", { properties: { id }, description: "x" });
  assert.deepEqual(
    (await lintSchemas(ctx, "torn")).map(({ level }) => level),
    ["error"],
  );
  assert.match((await findings("blog")).join(), /built-in/);
  const all = await lintSchemas(ctx);
  assert.ok(all.some(({ schema }) => schema === "torn") && all.some(({ schema }) => schema === "blog"));
});

test("SCH-81 lint warns about indexed passwords, inherited ones too, and other loose ends", async () => {
  write("above", { description: "x", properties: { id, code: { type: "string", help: "x" } }, index: ["id", "code"] });
  write("warnings", {
    inheritFrom: ["above"],
    properties: {
      id,
      code: { field: "password", help: "x" },
      pin: { type: "password" },
      mail: { unique: true, help: "x" },
      loose: { type: "string", help: "x", onDelete: "clear" },
      tied: { type: "string", help: "x", onDelete: "clear", onMissing: "refuse", reference: "people" },
    },
    required: ["id"],
    index: ["id", "pin"],
  });
  assert.deepEqual((await findings("warnings")).sort(), [
    "warning -: There is no description",
    "warning code: A password is never indexed; take it out of index",
    "warning loose: onDelete has no meaning: the property is no relation. Add reference.",
    "warning pin: A password is never indexed; take it out of index",
    "warning pin: There is no help text",
  ]);
});

test("SCH-82 lint of an unknown schema is 404, of a sound one empty", async () => {
  write("sound", { description: "x", properties: { id }, required: ["id"], index: ["id"] });
  assert.deepEqual(await lintSchemas(ctx, "sound"), []);
  assert.deepEqual(await lintSchemas(ctx, "image"), []);
  await assert.rejects(lintSchemas(ctx, "nobody"), { status: 404 });
});

test("SCH-46 keys of a file that cannot be used are ignored, the rest works", () => {
  write("rough", {
    title: 5,
    description: ["x"],
    inheritFrom: "blog",
    properties: { title: { minLength: "five", maxLength: 9, pattern: "(?=a)" }, gone: "text", n: { type: "markdown" } },
    required: "title",
    index: ["title", 7],
  });
  const flat = findFlatSchema(ctx, "rough");
  assert.deepEqual([...(flat?.properties.keys() ?? [])], ["id", "title", "n"]);
  assert.deepEqual(findRawSchema(ctx, "rough")?.properties.title, { maxLength: 9 });
  assert.equal(flat?.properties.get("n")?.kind.type, "string");
  assert.deepEqual([flat?.record.required, flat?.index, flat?.record.title], [[], [], undefined]);
});

test("SCH-13 a file that bears the id of a built-in schema is not in force", () => {
  write("text", { properties: { other: {} } });
  assert.deepEqual([...(findFlatSchema(ctx, "text")?.properties.keys() ?? [])], ["id", "text"]);
  assert.ok(!customSchemaIds(ctx).includes("text"));
});

test("SCH-29 a change of a parent applies to the child, and unchanged schemas stay cached", async () => {
  await schemaFiles.put("mother", { properties: { id, title: {} }, required: [], index: [] });
  await schemaFiles.put("daughter", { inheritFrom: ["mother"], properties: { text: {} } });
  const before = findFlatSchema(ctx, "daughter");
  assert.equal(findFlatSchema(ctx, "daughter"), before);
  await schemaFiles.put("mother", { properties: { id, title: {}, more: {} }, required: [], index: [] });
  const now = findFlatSchema(ctx, "daughter");
  assert.ok(now?.properties.has("more"));
  assert.notEqual(now?.rev, before?.rev);
});

test("SCH-41 a schema that another process saved is found with the next call", async (t) => {
  const other = await openDefinitions(folder, { log: createLog("silent") });
  t.after(() => other.close());
  await other.put("foreign", { properties: { id } });
  await ctx.storage.write(async (tx) => tx.touch("schemas"));
  assert.ok(findFlatSchema(ctx, "foreign"));
});
