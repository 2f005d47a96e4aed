// The same files when they lie in a bucket instead of on this machine's disk.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { chunk, multipart, send } from "../../support/forms.ts";
import { type Bucket, startBucket } from "../../support/s3-server.ts";
import { fetchBytes, picture } from "../../support/sample-files.ts";

const object = "/api/collections/things/one";
let bucket: Bucket;
let server: Server;

before(async () => {
  bucket = await startBucket();
  server = await startServer({ env: { CAIRN_FILES: bucket.url } });
  const properties = {
    cover: { type: "image" },
    photos: { type: "gallery" },
    doc: { type: "file" },
    box: { type: "depot" },
  };
  await server.makeSchema({ id: "thing", properties, required: [], index: [] });
  await server.makeCollection({ id: "things", schema: "thing" });
  await server.request("POST", "/api/collections/things", { body: { id: "one" } });
});
after(async () => {
  await server.stop();
  await bucket.close();
});

const upload = (path: string, name: string, bytes: string | Uint8Array) =>
  send(server, `${object}/${path}`, multipart([{ field: "file", name, bytes }]));
const fetched = async (path: string) => (await fetchBytes(server, path)).bytes.toString();

test("PF-7 files go into the bucket, and come back byte for byte", async () => {
  const image = await picture(40, 30);
  const { cover } = (await upload("cover", "a.jpg", image)).body.data;
  assert.equal(cover.width, 40);
  assert.deepEqual((await fetchBytes(server, cover.url)).bytes, image);
  assert.equal((await upload("cover", "a.jpg", await picture(20, 30))).body.data.cover.name, "a.jpg");
  assert.equal((await fetchBytes(server, "/imageworks/things/one/cover.png?w=10")).status, 200);
  assert.equal(existsSync(join(server.dataDir, "things")), false);
});

test("PF-30 chunks become a file in the bucket", async () => {
  for (const [index, text] of ["ab", "cd"].entries()) {
    const form = chunk({ field: "doc", name: "a.txt", bytes: Buffer.from(text), index, total: 2, uuid: "u" });
    assert.equal((await send(server, `${object}/doc`, form)).status, 200);
  }
  assert.equal(await fetched("/download/things/one/doc"), "abcd");
});

test("PF-71, PF-72, PF-60 files of a depot move and go in the bucket too", async () => {
  await upload("box/sub", "a.txt", "A");
  await server.request("PUT", `${object}/box/folder/rename?path=sub`, { body: { name: "new" } });
  await server.request("PUT", `${object}/box/a.txt/move?path=new`, { body: { destination: "" } });
  assert.equal(await fetched("/download/things/one/box/a.txt"), "A");
  assert.equal((await server.request("DELETE", `${object}/box/a.txt`)).status, 200);
  assert.equal((await fetchBytes(server, "/download/things/one/box/a.txt")).status, 404);
});

test("PF-62, PF-61 a clone has its files in the bucket, and they go with their object", async () => {
  await upload("doc", "b.txt", "B");
  await server.request("POST", `${object}/clone`, { body: { id: "two" } });
  await server.request("DELETE", object);
  assert.equal(await fetched("/download/things/two/doc"), "B");
  await server.request("DELETE", "/api/collections/things/two");
  const check = await server.cli(["files:check", "--json"]);
  assert.deepEqual([check.code, JSON.parse(check.stdout)], [0, []]);
});
