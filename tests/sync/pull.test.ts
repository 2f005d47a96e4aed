// cairn pull between two installations, and what a dry run says in both directions.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runCairn } from "../harness.ts";
import {
  article,
  create,
  exported,
  featureObjects,
  fill,
  importInto,
  names,
  type Pair,
  snapshotFiles,
  startPair,
} from "./pair.ts";

let pair: Pair;

before(async () => {
  pair = await startPair();
  await fill(pair.there);
  await create(pair.there, "news", { id: "first", title: "First" });
});
after(() => pair.stop());

async function run(...args: string[]) {
  const { code, stdout, stderr } = await pair.here.cli(args);
  return { code, stdout, stderr, json: args.includes("--json") && stdout !== "" ? JSON.parse(stdout) : undefined };
}

const flags: [rule: string, flag: string, items: string[]][] = [
  ["SYNC-31 pull", "--schemas", ["schema article"]],
  ["SYNC-32 pull", "--templates=pages/home", ["template pages/home"]],
  ["SYNC-33 pull", "--pages=home", ["object builder-pages/home"]],
  ["SYNC-34 pull", "--dataviews", ["object dataviews/totals"]],
  ["SYNC-35 pull", "--mailer=welcome", ["object mailer/welcome"]],
  ["SYNC-36 pull", "--mcp-prompts", ["object mcp-prompt/review"]],
  ["SYNC-37 pull", "--automations=nightly", ["object automations/nightly"]],
  ["SYNC-14 SYNC-38 pull", "--collections=news", ["collection news"]],
];

for (const [rule, flag, items] of flags) {
  test(`${rule} ${flag} fetches ${items.join(", ")} and nothing else`, async () => {
    const { code, json, stderr } = await run("pull", "--json", flag);
    assert.equal(code, 0, stderr);
    assert.deepEqual([json.direction, json.sent, names(json.result.created)], ["pull", true, items]);
  });
}

test("SYNC-30 SYNC-39 pull without a filter fetches everything, and a running server sees it at once", async () => {
  const { code, json, stderr } = await run("pull", "--json");
  assert.equal(code, 0, stderr);
  assert.equal(json.items.length, 1 + 1 + 5 + 1 + 5);
  const [mine, theirs] = [await exported(pair.here), await exported(pair.there)];
  for (const key of ["schemas", "templates", "objects"]) assert.deepEqual(mine[key], theirs[key], key);
  assert.equal((await pair.here.request("GET", "/api/collections/news")).body.data.length, 0);
});

test("SYNC-43 pull takes neither --objects nor --overwrite nor --force", async () => {
  for (const flag of ["--objects=news", "--overwrite", "--force"]) {
    const { code, stderr } = await run("pull", flag);
    assert.equal(code, 2, flag);
    assert.match(stderr, /unknown option/);
  }
  assert.equal((await run("pull", "--collection-meta")).code, 2);
});

test("SYNC-50 SYNC-51 SYNC-52 a dry run marks every item and names the newer side, in both directions", async () => {
  const { here, there } = pair;
  const data = { title: "Home", template: "pages/home" };
  const page = (id: string, title: string, modified: string) => ({
    collection: "builder-pages",
    id,
    data: { ...data, title, modified },
  });
  await importInto(here, {
    objects: [
      page("behind", "Mine", "2024-01-01T00:00:00Z"),
      page("ahead", "Mine", "2025-01-01T00:00:00Z"),
      page("mine", "Mine", "2024-01-01T00:00:00Z"),
    ],
  });
  await importInto(there, {
    objects: [
      page("behind", "Theirs", "2025-01-01T00:00:00Z"),
      page("ahead", "Theirs", "2024-01-01T00:00:00Z"),
      page("theirs", "Theirs", "2024-01-01T00:00:00Z"),
    ],
  });
  const before = [await exported(here), await exported(there), snapshotFiles(here), snapshotFiles(there)];

  const push = await run("push", "--pages", "--dry-run");
  assert.equal(push.code, 0, push.stderr);
  assert.match(push.stdout, /^ {2}\+ mine {2}new on remote$/m);
  assert.match(push.stdout, /^ {2}= home {2}identical$/m);
  assert.match(
    push.stdout,
    /^ {2}~ ahead {2}differs, local newer \(local 2025-01-01T00:00:00.000Z, remote 2024-01-01T00:00:00.000Z\)$/m,
  );
  assert.match(
    push.stdout,
    /^ {2}~ behind {2}differs, remote newer \(.*\) {2}WARNING: the older local copy would overwrite the newer remote one$/m,
  );
  assert.match(push.stdout, /^ {2}· theirs {2}only on remote, untouched$/m);

  const { json } = await run("pull", "--pages", "--dry-run", "--json");
  assert.deepEqual([json.direction, json.compared, json.sent], ["pull", true, false]);
  const byId = Object.fromEntries(json.items.map((item: { id: string }) => [item.id, item]));
  assert.deepEqual(byId.theirs, { kind: "object", collection: "builder-pages", id: "theirs", status: "new" });
  assert.deepEqual(byId.mine, { kind: "object", collection: "builder-pages", id: "mine", status: "receiver-only" });
  assert.deepEqual([byId.home.status, byId.behind.newer, byId.behind.warning], ["identical", "remote", undefined]);
  assert.equal(byId.ahead.newer, "local");
  assert.match(byId.ahead.warning, /older remote copy/);
  assert.deepEqual([await exported(here), await exported(there), snapshotFiles(here), snapshotFiles(there)], before);
});

test("SYNC-53 items are identical by content, whatever their times", async () => {
  const { here, there } = pair;
  const [early, late] = ["2023-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"];
  for (const [server, updated] of [
    [here, early],
    [there, late],
  ] as const) {
    const data = { title: "Timed", template: "x", created: updated, modified: updated, updated };
    await importInto(server, {
      schemas: [{ ...article, id: "timed", updated }],
      collections: { custom: [{ id: "timed", schema: "timed", updated }] },
      objects: [{ collection: "builder-pages", id: "timed", data }],
    });
  }
  const { json } = await run("push", "--schemas=timed", "--collections=timed", "--pages=timed", "--dry-run", "--json");
  assert.deepEqual(
    json.items.map(({ status }: { status: string }) => status),
    ["identical", "identical", "identical"],
  );
});

test("SYNC-50 a dry run of seeding compares too, and lists unchanged objects", async () => {
  const { here, there } = pair;
  await create(here, "news", { id: "first", title: "First, but mine" });
  await create(here, "news", { id: "second", title: "Second" });
  const { json } = await run("push", "--objects=news", "--dry-run", "--json");
  const [first, second] = json.items;
  assert.deepEqual([first.id, first.status, second.id, second.status], ["first", "differs", "second", "new"]);
  assert.match(first.warning, /left untouched/);
  assert.equal((await there.request("GET", "/api/collections/news/second")).status, 404);
});

test("SYNC-48 pull names ids that the remote does not have", async () => {
  const { code, stderr } = await run("pull", "--pages=nowhere");
  assert.equal(code, 1);
  assert.match(stderr, /no object builder-pages\/nowhere on the remote/);
});

test("SYNC-5 templates stay out on both sides when the project has a folder builder", async () => {
  const project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  try {
    mkdirSync(join(project, "builder"));
    const cairn = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCairn([...args, "--json"], { env: pair.here.env, cwd: project });
      return { code, stderr, json: JSON.parse(stdout) };
    };
    const push = await cairn("push");
    assert.ok(!names(push.json.items).some((name) => name.startsWith("template")), push.stderr);
    await pair.there.request("PUT", "/api/templates/pages/home", { body: { template: "theirs" } });
    const pull = await cairn("pull", "--templates");
    assert.deepEqual([pull.code, names(pull.json.result.skipped)], [0, ["template pages/home"]]);
    const mine = await pair.here.request("GET", "/api/templates/pages/home");
    assert.equal(mine.body.data.template, "<h1>{{ title }}</h1>");
  } finally {
    rmSync(project, { recursive: true });
  }
});

test("SYNC-12 SYNC-20 pull replaces like an import: with a snapshot here, and nothing is deleted", async () => {
  const { here, there } = pair;
  await there.request("PATCH", "/api/collections/mailer/welcome", { body: { subject: "Theirs" } });
  const { code } = await run("pull", "--mailer");
  assert.equal(code, 0);
  const mail = (await here.request("GET", "/api/collections/mailer/welcome")).body.data;
  assert.equal(mail.subject, "Theirs");
  assert.equal(snapshotFiles(here, "objects/mailer/welcome").length, 1);
  assert.equal(featureObjects.mailer.subject, "Hello");
});
