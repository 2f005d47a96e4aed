// The upload queue without a network: its order, its tries, its pieces.

import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#api/api-error.ts";
import { createUploadQueue, type Piece, type StoredUpload, type UploadQueue, type UploadRequest } from "./queue.ts";
import { chunkSize } from "./unfinished.ts";

interface Sent {
  piece: Piece;
  signal: AbortSignal;
  answer: (data?: object) => void;
  refuse: (status: number, message?: string) => void;
}

/** A queue whose requests are answered by the test. */
function makeQueue(options: { storage?: Map<string, string>; found?: StoredUpload } = {}) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const line = { isOnline: true };
  const storage = options.storage ?? new Map<string, string>();
  let ids = 0;
  const queue = createUploadQueue({
    send: (piece, { signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        sent.push({
          piece,
          signal,
          answer: (data = {}) => resolve({ data: data as StoredUpload["data"], etag: '"1"' }),
          refuse: (status, message = "") => reject(new ApiError({ status, message })),
        });
      }),
    find: async () => options.found,
    sleep: async (ms) => void slept.push(ms),
    isOnline: () => line.isOnline,
    now: () => 1_000,
    newId: () => String(++ids),
    storage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => void storage.set(key, value) },
    user: () => "ada",
  });
  return { queue, sent, slept, line, storage };
}

const target = (object: string | undefined, path = "image") => ({ collection: "blog", object, path, form: "form" });
const file = (name: string, size = 3) => new File([new Uint8Array(size)], name, { lastModified: 5 });
const request = (name: string, object: string | undefined, more: Partial<UploadRequest> = {}): UploadRequest => ({
  source: file(name),
  target: target(object),
  label: "Image",
  ...more,
});
/** What was promised has happened. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const states = (queue: UploadQueue) => queue.all().map(({ name, state }) => `${name} ${state}`);
const names = (sent: Sent[]) => sent.map(({ piece }) => piece.name);
const received = { status: "chunk received" };

test("ADM-410 three files are sent at once, and one at a time into one object", async () => {
  const { queue, sent } = makeQueue();
  for (const [name, object] of [
    ["a1", "a"],
    ["a2", "a"],
    ["b", "b"],
    ["c", "c"],
    ["d", "d"],
  ] as const)
    queue.add(request(name, object));
  await settle();
  deepEqual(names(sent), ["a1", "b", "c"]);
  sent[1]?.answer();
  await settle();
  deepEqual(names(sent), ["a1", "b", "c", "d"]);
  sent[0]?.answer();
  await settle();
  deepEqual(names(sent).at(-1), "a2");
});

test("ADM-411 a request that gets no answer is tried three times with waits; then Retry goes on", async () => {
  const { queue, sent, slept } = makeQueue();
  const id = queue.add(request("a", "a"));
  for (const status of [0, 503, 0]) {
    await settle();
    sent.at(-1)?.refuse(status);
  }
  await settle();
  deepEqual(slept, [1_000, 4_000]);
  deepEqual(states(queue), ["a failed"]);
  queue.retry(id);
  await settle();
  sent.at(-1)?.answer();
  await settle();
  deepEqual(states(queue), ["a done"]);
  equal(sent.length, 4);
});

test("ADM-411 from 5 MiB on a file is sent in chunks; those that the server lacks are sent again", async () => {
  const { queue, sent, storage } = makeQueue();
  queue.add(request("big", "a", { source: file("big", 2 * chunkSize + 1) }));
  const indexes = () => sent.map(({ piece }) => piece.chunk?.index);
  for (const answer of [received, received]) {
    await settle();
    sent.at(-1)?.answer(answer);
  }
  await settle();
  sent.at(-1)?.refuse(400, "Chunks are missing: 0.");
  await settle();
  deepEqual(indexes(), [0, 1, 2, 0]);
  deepEqual(
    sent.map(({ piece }) => (piece.source as Blob).size),
    [chunkSize, chunkSize, 1, chunkSize],
  );
  equal(new Set(sent.map(({ piece }) => piece.chunk?.upload)).size, 1);
  sent.at(-1)?.answer({ id: "a" });
  await settle();
  deepEqual(states(queue), ["big done"]);
  equal(storage.get("cairn.uploads"), "[]");
});

test("ADM-411 chunks that the server has lost altogether are all sent again", async () => {
  const { queue, sent } = makeQueue();
  queue.add(request("big", "a", { source: file("big", chunkSize + 1) }));
  await settle();
  sent.at(-1)?.answer(received);
  await settle();
  sent.at(-1)?.refuse(400, "Chunks are missing: 0, 1 and 9 more.");
  await settle();
  sent.at(-1)?.answer(received);
  await settle();
  sent.at(-1)?.answer({ id: "a" });
  await settle();
  deepEqual(
    sent.map(({ piece }) => piece.chunk?.index),
    [0, 1, 0, 1],
  );
  deepEqual(states(queue), ["big done"]);
});

test("ADM-412 a file that is cut off by the network goes on when the device is online again", async () => {
  const { queue, sent, line, slept } = makeQueue();
  queue.add(request("a", "a"));
  await settle();
  line.isOnline = false;
  sent[0]?.refuse(0);
  await settle();
  deepEqual(states(queue), ["a offline"]);
  deepEqual(slept, []);
  line.isOnline = true;
  queue.resume();
  await settle();
  sent[1]?.answer();
  await settle();
  deepEqual(states(queue), ["a done"]);
});

test("ADM-413 a paused upload stops at once and goes on where it was; a cancelled one is forgotten", async () => {
  const { queue, sent, storage } = makeQueue();
  const big = queue.add(request("big", "a", { source: file("big", chunkSize + 1) }));
  queue.add(request("next", "a"));
  await settle();
  sent[0]?.answer(received);
  await settle();
  queue.pause(big);
  equal(sent[1]?.signal.aborted, true);
  await settle();
  deepEqual(states(queue), ["big paused", "next sending"]);
  sent[2]?.answer();
  queue.retry(big);
  await settle();
  equal(sent[3]?.piece.chunk?.index, 1);
  queue.cancel(big);
  await settle();
  equal(sent[3]?.signal.aborted, true);
  deepEqual(states(queue), ["next done"]);
  equal(storage.get("cairn.uploads"), "[]");
});

test("ADM-414 a file that breaks a rule is not sent; the others of its batch are", async () => {
  const { queue, sent } = makeQueue();
  const check = ({ name }: File) => (name === "bad" ? "Too wide" : undefined);
  for (const name of ["bad", "good", "refused"]) queue.add(request(name, "a", { check }));
  await settle();
  deepEqual(names(sent), ["good"]);
  sent[0]?.answer();
  await settle();
  sent[1]?.refuse(400, "No picture");
  await settle();
  deepEqual(states(queue), ["bad refused", "good done", "refused refused"]);
  deepEqual(
    queue.all().map(({ problem }) => problem),
    ["Too wide", "", "No picture"],
  );
});

test("ADM-415 after a reload the same file, chosen for the same place, goes on where it stopped", async () => {
  const storage = new Map<string, string>();
  const before = makeQueue({ storage });
  before.queue.add(request("big", "a", { source: file("big", 2 * chunkSize + 1) }));
  await settle();
  before.sent[0]?.answer(received);
  await settle();

  const { queue, sent } = makeQueue({ storage });
  deepEqual(queue.interrupted(target("a")), [{ name: "big", share: 1 / 3 }]);
  deepEqual(queue.interrupted(target("b")), []);
  queue.add(request("big", "a", { source: file("big", 2 * chunkSize + 1) }));
  queue.add(request("big", "b", { source: file("big", 2 * chunkSize + 1) }));
  await settle();
  deepEqual(
    sent.map(({ piece }) => piece.chunk?.index),
    [1, 0],
  );
  equal(sent[0]?.piece.chunk?.upload, before.sent[0]?.piece.chunk?.upload);
  deepEqual(queue.interrupted(target("a")), []);
});

test("ADM-416 a file whose object or deck item is not stored waits for the Save that makes it", async () => {
  const { queue, sent } = makeQueue();
  queue.add(request("a", undefined));
  queue.add(request("item", undefined, { target: target(undefined, "deck.one.image") }));
  queue.add(request("wide", undefined, { check: () => "Too wide" }));
  await settle();
  deepEqual(states(queue), ["a waiting", "item waiting", "wide refused"]);
  queue.release("other", "x", () => true);
  queue.release("form", "made", (path) => path === "image");
  await settle();
  deepEqual(states(queue), ["a sending", "item waiting", "wide refused"]);
  equal(sent[0]?.piece.target.object, "made");
  sent[0]?.answer();
  queue.release("form", "made", () => true);
  await settle();
  deepEqual(states(queue), ["a done", "item sending", "wide refused"]);
  queue.add(request("late", undefined));
  queue.drop("form");
  deepEqual(states(queue), ["a done", "item sending", "wide refused"]);
});

test("ADM-417 a file whose answer was lost is looked for before it is sent again", async () => {
  const { queue, sent } = makeQueue({ found: { data: { id: "a" }, etag: '"2"' } });
  const stored: string[] = [];
  queue.onStored((event) => stored.push(event.stored.etag));
  queue.add(request("a", "a"));
  await settle();
  sent[0]?.refuse(0);
  await settle();
  deepEqual(states(queue), ["a done"]);
  deepEqual([sent.length, stored], [1, ['"2"']]);
});

test("ADM-418 a file from an address is named by its last part", () => {
  const { queue } = makeQueue();
  queue.add(request("", "a", { source: "https://example.org/a/hill%20top.jpg?x=1" }));
  queue.add(request("", "b", { source: "https://example.org/100%.png" }));
  deepEqual(
    queue.all().map(({ name }) => name),
    ["hill top.jpg", "100%.png"],
  );
});
