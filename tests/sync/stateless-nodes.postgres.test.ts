// Two nodes that share a database and a bucket and nothing else: what imports replaced, and whole backups, are of both.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { filesBelow } from "../support/files-below.ts";
import { type Bucket, startBucket } from "../support/s3-server.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";
import { article, fill, importInto } from "./pair.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-stateless-"));
let bucket: Bucket;
let way: Awaited<ReturnType<typeof wayTo>>;
let first: Server;
let second: Server;

before(async () => {
  bucket = await startBucket();
  way = await wayTo(bucket);
  first = await startServer({ env: { CAIRN_FILES: way.url } });
  await fill(first);
  await makeUser(first, "ada", ["admin"]);
  // It outlives the first node.
  const CAIRN_SITE_KEY_FILE = join(folder, "site.key");
  copyFileSync(join(first.dataDir, ".system", "site.key"), CAIRN_SITE_KEY_FILE);
  const CAIRN_DATABASE_URL = `${first.env.CAIRN_DATABASE_URL}?application_name=second`;
  const env = { CAIRN_FILES: bucket.url, CAIRN_SITE_KEY_FILE, CAIRN_DATABASE_URL };
  second = await startServer({ dataDir: join(folder, "second"), env });
});
after(async () => {
  await second.stop();
  await first.stop();
  way.close();
  await bucket.close();
  rmSync(folder, { recursive: true });
});

/** A way to the bucket on which whole backups get stuck once that is asked for. */
async function wayTo({ url }: Bucket) {
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(url)?.[1]);
  let isStuck = false;
  let holds = () => {};
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    client.on("data", (bytes) => {
      if (isStuck && bytes.includes(".system/whole-backups/backup-")) {
        client.pause();
        holds();
      } else upstream.write(bytes);
    });
    upstream.pipe(client);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const side of [client, upstream]) side.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: url.replace(`127.0.0.1:${port}`, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    /** Resolves when a backup is on its way and stuck. */
    stick() {
      isStuck = true;
      return new Promise<void>((resolve) => {
        holds = resolve;
      });
    },
    close: () => server.close(),
  };
}

async function confirmed(server: Server): Promise<Person> {
  const ada = await signIn(server, "ada");
  await ada.request("POST", "/api/auth/confirm", { body: { password } });
  return ada;
}

const jobOf = async (ada: Person, id: string) => (await ada.request("GET", `/api/jobs/${id}`)).body.data;
const backupsOn = async (ada: Person): Promise<{ name: string; size: number }[]> =>
  (await ada.request("GET", "/api/backups")).body.data;

async function make(ada: Person): Promise<string> {
  const { body } = await ada.request("POST", "/api/backups");
  const job = await until(
    () => jobOf(ada, body.data.job),
    ({ status }) => status === "succeeded" || status === "failed",
  );
  assert.equal(job.status, "succeeded", job.error);
  return job.result.name;
}

const inBucket = (place: string) =>
  filesBelow(join(bucket.folder, "site", ".system", place)).filter((name) => name.endsWith("_object"));
const onDisk = ({ dataDir }: Server, place: string) => filesBelow(join(dataDir, ".system", place));

test("NOD-17 what an import through one node replaced is listed, read and restored on another", async () => {
  const page = (title: string) => ({
    objects: [{ collection: "builder-pages", id: "shared", data: { title, template: "pages/home" } }],
  });
  for (const title of ["One", "Two", "Three"]) assert.equal((await importInto(first, page(title))).status, 200);
  await importInto(second, { schemas: [{ ...article, description: "Changed" }] });
  assert.deepEqual([...onDisk(first, "backups"), ...onDisk(second, "backups")], []);
  assert.equal(inBucket("backups/objects/builder-pages/shared").length, 2);
  const query = "/api/snapshots?kind=object&collection=builder-pages&id=shared";
  const [newer, older] = (await second.request("GET", query)).body.data;
  const read = await second.request("GET", `/api/snapshots?file=${encodeURIComponent(newer.file)}`);
  assert.equal(read.body.data.content.title, "Two");
  const all = JSON.parse((await second.cli(["backup:list", "--json"])).stdout);
  assert.deepEqual((await first.request("GET", "/api/snapshots?limit=100")).body.data, all);
  assert.deepEqual([...new Set(all.map(({ kind }: { kind: string }) => kind))].sort(), ["object", "schema"]);
  const restored = await second.cli(["backup:restore", older.file]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal((await first.request("GET", "/api/collections/builder-pages/shared")).body.data.title, "One");
  for (let number = 0; number <= 11; number += 1)
    await importInto(number % 2 ? first : second, page(`Title ${number}`));
  const kept = (await first.request("GET", query)).body.data;
  assert.equal(kept.length, 10);
  assert.equal(inBucket("backups/objects/builder-pages/shared").length, 10);
});

test("NOD-18 ADM-889 a backup made on one node is listed, downloaded, also in part, and deleted on another", async () => {
  const name = await make(await confirmed(first));
  const ada = await confirmed(second);
  const [listed] = await backupsOn(ada);
  assert.equal(listed?.name, name);
  assert.deepEqual([...onDisk(first, "whole-backups"), ...onDisk(second, "whole-backups")], []);
  const path = `${second.url}/api/backups/${name}`;
  const sent = await fetch(path, { headers: { cookie: ada.cookie } });
  const bytes = Buffer.from(await sent.arrayBuffer());
  assert.deepEqual([sent.status, bytes.length], [200, listed?.size]);
  const file = join(folder, "site.zip");
  writeFileSync(file, bytes);
  const verified = await second.cli(["backup:verify", file]);
  assert.equal(verified.code, 0, verified.stderr);
  const part = await fetch(path, { headers: { cookie: ada.cookie, range: "bytes=10-19" } });
  assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(10, 20)]);
  assert.ok(bytes.includes("system/backups/objects/builder-pages/shared/") && !bytes.includes("whole-backups/"));
  assert.equal((await ada.request("DELETE", `/api/backups/${name}`)).status, 204);
  assert.deepEqual(inBucket("whole-backups"), []);
  for (const gone of [`/api/backups/${name}`, "/api/backups/settings.json"])
    assert.equal((await ada.request("GET", gone)).status, 404, gone);
});

test("ADM-890 NOD-18 a backup whose node dies while it sends it is made by another, and the node is not missed", async () => {
  const dying = await confirmed(first);
  const isSending = way.stick();
  const { job } = (await dying.request("POST", "/api/backups")).body.data;
  const ada = await confirmed(second);
  // Either node may take the job: the second one is quick, then once more.
  let id: string = job;
  await until(async () => {
    const isStuck = await Promise.race([
      isSending.then(() => true),
      until(
        () => jobOf(ada, id),
        ({ status }) => status === "succeeded",
      ).then(() => false),
    ]);
    if (!isStuck) id = (await dying.request("POST", "/api/backups")).body.data.job;
    return isStuck;
  });
  const whole = (await backupsOn(ada)).length;
  await first.kill();
  rmSync(first.dataDir, { recursive: true });
  assert.equal((await backupsOn(ada)).length, whole);
  const ended = await until(
    () => jobOf(ada, id),
    ({ status }) => status === "succeeded" || status === "failed",
  );
  assert.equal(ended.status, "succeeded", ended.error);
  assert.equal((await backupsOn(ada)).length, whole + 1);
  assert.equal(inBucket("whole-backups").length, whole + 1);
  assert.deepEqual(onDisk(second, "whole-backups"), []);
  const [snapshot] = (await second.request("GET", "/api/snapshots?kind=schema")).body.data;
  const restored = await second.request("POST", "/api/snapshots/restore", { body: { file: snapshot.file } });
  assert.equal(restored.status, 200, restored.text);
});
