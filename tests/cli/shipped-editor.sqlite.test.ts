// The shipped group of editors, on a site of an earlier version: by update and by a whole backup. That version is the code
// without the migration.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { cleanEnvironment, runCairn } from "../harness.ts";
import { makeInstallation } from "../support/own-installation.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-editor-"));
const former = makeInstallation();
const backup = join(folder, "former.zip");
const envOf = (name: string) => cleanEnvironment({ CAIRN_DATA: join(folder, name), CAIRN_LOG_LEVEL: "warn" });
const userCreate = ["user:create", "--id", "eve", "--email", "eve@example.test", "--groups", "editor"];

async function cairn(site: string, args: string[], installation?: string): Promise<string> {
  const options = { env: envOf(site), input: "correct-horse-1\n", ...(installation && { installation }) };
  const { code, stdout, stderr } = await runCairn(args, options);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function builderOf(site: string): Promise<boolean> {
  return JSON.parse(await cairn(site, ["group:get", "editor", "--json"])).permissions.builder;
}

before(async () => {
  for (const engine of ["sqlite", "postgres"])
    rmSync(join(former, `src/storage/migrations/0080-shipped-editor.${engine}.sql`));
  await cairn("former", [...userCreate, "--password", "-"], former);
  await cairn("former", ["backup:create", backup], former);
});

after(() => {
  for (const each of [folder, former]) rmSync(each, { recursive: true });
});

test("GRP-65 a backup of an earlier version is restored with the group that its site had", async () => {
  await cairn("restored", ["backup:restore-all", backup]);
  assert.equal(await builderOf("restored"), true);
});

test("GRP-64 an update keeps what the group of editors granted; on a new site it opens no templates", async () => {
  await cairn("fresh", [...userCreate, "--password", "-"]);
  assert.equal(await builderOf("fresh"), false);
  assert.equal(await builderOf("former"), true);
  const permissionsOf = async (site: string) =>
    JSON.parse(await cairn(site, ["group:get", "editor", "--json"])).permissions;
  assert.deepEqual(await permissionsOf("former"), { ...(await permissionsOf("fresh")), builder: true });
});

test("GRP-64 a group that was deleted before the update stays so", async () => {
  const database = new DatabaseSync(join(folder, "former", ".system", "cairn.db"));
  database.exec("UPDATE access_groups SET permissions = ''; DELETE FROM migrations WHERE name = '0080-shipped-editor'");
  database.close();
  const { code } = await runCairn(["group:get", "editor"], { env: envOf("former") });
  assert.equal(code, 1);
});
