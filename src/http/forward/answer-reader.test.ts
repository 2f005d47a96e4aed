import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnswerHead, createAnswerReader } from "./answer-reader.ts";

interface Read {
  head?: AnswerHead;
  body: string;
  isOver: boolean;
}

/** In pieces of so many bytes. */
function read(text: string, size: number, isBodiless = false): Read {
  const found: Read = { body: "", isOver: false };
  const take = createAnswerReader(isBodiless, {
    head: (head) => {
      found.head = head;
    },
    body: (bytes, isLast) => {
      found.body += bytes?.toString("latin1") ?? "";
      found.isOver = isLast;
    },
  });
  const all = Buffer.from(text, "latin1");
  for (let at = 0; at < all.length; at += size) take(all.subarray(at, at + size));
  return found;
}

const whole = "HTTP/1.1 201 Created\r\nX-One: a: b\r\nContent-Length: 11\r\n\r\nhello\r\n\r\n\xe9\xff";
const chunked =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\nA\r\n\r\n5\r\nabcde\r\n0\r\n\r\n";

test("WRK-6 an answer is the same however its bytes arrive", () => {
  for (const size of [1, 2, 3, 7, 16, 1_000]) {
    const one = read(whole, size);
    assert.deepEqual(one.head, {
      ...{ status: 201, reason: "Created", length: 11, isChunked: false, isKept: true },
      headers: ["X-One", "a: b", "Content-Length", "11"],
    });
    assert.deepEqual([one.body, one.isOver], ["hello\r\n\r\n\xe9\xff", true]);
    const other = read(chunked, size);
    assert.deepEqual([other.head?.length, other.head?.isKept], [undefined, false]);
    assert.deepEqual([other.body, other.isOver], ["hello\r\n5\r\nabcde", true]);
  }
});

test("WRK-6 answers without a body end with their head", () => {
  const ends = (text: string, isBodiless = false) => read(text, 5, isBodiless).isOver;
  assert.ok(ends("HTTP/1.1 204 No Content\r\n\r\n"));
  assert.ok(ends("HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"));
  assert.ok(ends("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", true));
  assert.ok(ends("HTTP/1.1 200 OK\r\nX: y\r\n\r\n", true));
  assert.ok(ends("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  assert.ok(ends("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  assert.equal(ends(whole.slice(0, -1)), false);
  assert.equal(ends(chunked.slice(0, -1)), false);
});

test("WRK-6 what is no answer of the writer is refused", () => {
  for (const text of [
    "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: y\r\n\r\n",
    `${whole}x`,
    `${chunked}x`,
    chunked.replace("\r\n5\r\nhello", "\r\n5;x\r\nhello"),
    chunked.replace("\r\n5\r\nhello", "\r\n-5\r\nhello"),
    `HTTP/1.1 200 OK\r\nX: ${"y".repeat(70_000)}\r\n\r\n`,
  ])
    assert.throws(() => read(text, 9));
});
