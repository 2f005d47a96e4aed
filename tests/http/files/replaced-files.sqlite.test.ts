// Files in a bucket that are replaced between the moment in which they are found and the one in which their bytes are asked for.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type AtticSite, startAtticSite } from "../../support/attic-site.ts";
import { type Gate, openGate } from "../../support/gate.ts";
import { fetchBytes, picture } from "../../support/sample-files.ts";

let site: AtticSite;
let gate: Gate;
before(async () => {
  site = await startAtticSite("bucket", async (url) => {
    const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(url) ?? [];
    gate = await openGate(Number(port));
    return url.replace(`:${port}`, `:${gate.port}`);
  });
});
after(async () => {
  gate?.open();
  await site?.stop();
  gate?.close();
});

/** Of the bytes. To find a file, its first byte is asked for. */
const isForBytes = (piece: string) => /^GET \/cairn\/site\/full\//.test(piece) && !/^range: bytes=0-0\r$/im.test(piece);

/** The answer to a request whose file another one replaces before its bytes are asked for. */
async function replacedMeanwhile(path: string, replace: () => Promise<unknown>, headers: Record<string, string> = {}) {
  gate.holdOne(isForBytes);
  const answer = fetchBytes(site.server, path, { headers });
  await until(() => gate.waiting.length === 1);
  await replace();
  gate.open();
  return answer;
}

const small = (text: string) => Buffer.from(text);
const large = (text: string) => Buffer.from(text.repeat(200_000));

for (const [how, before, after] of [
  ["small", small("old"), small("newer")],
  ["large", large("old"), large("newer")],
] as const) {
  test(`DL-21 a ${how} file that is replaced while it is asked for is answered with the new one`, async () => {
    await site.call("POST", "/collections/full", { id: how });
    await site.upload(`collections/full/${how}/doc`, "a.txt", before);
    const put = (bytes: Buffer) => () => site.upload(`collections/full/${how}/doc`, "a.txt", bytes);
    const whole = await replacedMeanwhile(`/download/full/${how}/doc`, put(after));
    assert.deepEqual([whole.status, whole.headers["content-length"]], [200, String(after.length)]);
    assert.equal(Buffer.compare(whole.bytes, after), 0);

    const part = await replacedMeanwhile(`/stream/full/${how}/doc`, put(before), { range: "bytes=1-2" });
    assert.deepEqual([part.status, part.headers["content-range"]], [206, `bytes 1-2/${before.length}`]);
    assert.equal(String(part.bytes), "ld");

    // The part that is there is one of another file: all of the new one follows.
    const { headers } = await fetchBytes(site.server, `/stream/full/${how}/doc`);
    const condition = { range: "bytes=1-2", "if-range": String(headers.etag) };
    const rest = await replacedMeanwhile(`/stream/full/${how}/doc`, put(after), condition);
    assert.deepEqual([rest.status, rest.headers["content-range"]], [200, undefined]);
    assert.equal(Buffer.compare(rest.bytes, after), 0);

    // Each answer counts once, and a part from its middle not at all. Workers write down what they counted a moment later.
    const counted = async () => (await site.call("GET", `/collections/full/${how}/doc/downloads`)).body.data.total;
    await becomes(counted, 3);
  });
}

test("DL-21 an image that is replaced while it is asked for is answered with the new one", async () => {
  await site.call("POST", "/collections/full", { id: "image" });
  const [first, second] = [await picture(40, 30), await picture(50, 30)];
  await site.upload("collections/full/image/cover", "a.jpg", first);
  const put = () => site.upload("collections/full/image/cover", "a.jpg", second);
  const answer = await replacedMeanwhile("/imageworks/full/image/cover.jpg", put);
  assert.equal(answer.status, 200);
  assert.equal(Buffer.compare(answer.bytes, second), 0);
});
