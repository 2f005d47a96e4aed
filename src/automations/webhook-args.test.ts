import assert from "node:assert/strict";
import { test } from "node:test";
import { readWebhook, type Sent } from "./webhook-args.ts";

function read(more: Partial<Sent> & { type?: string; text?: string }) {
  const headers = { ...(more.type && { "content-type": more.type }), ...more.headers };
  const body = more.text === undefined ? undefined : Buffer.from(more.text);
  const parseForm = (text: string) => Object.fromEntries(new URLSearchParams(text));
  return readWebhook({ query: more.query ?? {}, headers, body, parseForm });
}

test("ATM-7 the body's properties lie on top of the query's", async () => {
  const { args } = await read({ query: { a: "1", b: "2" }, type: "application/json", text: '{"b":{"c":3}}' });
  assert.deepEqual(args, { a: "1", b: { c: 3 } });
});

test("ATM-7 forms, multipart fields, text and other JSON are taken", async () => {
  assert.deepEqual((await read({ type: "application/x-www-form-urlencoded", text: "a=1&b=2" })).args, {
    a: "1",
    b: "2",
  });
  const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const form = `${part('name="a"', "1")}${part('name="f"; filename="x.txt"', "file")}--x--\r\n`;
  assert.deepEqual((await read({ type: "multipart/form-data; boundary=x", text: form })).args, { a: "1" });
  assert.deepEqual((await read({ type: "application/json", text: "[1]" })).args, { body: [1] });
  assert.deepEqual((await read({ type: "application/vnd.x+json; charset=utf-8", text: '{"a":1}' })).args, { a: 1 });
  assert.deepEqual((await read({ type: "text/plain", text: "hello" })).args, { body: "hello" });
  assert.deepEqual((await read({})).args, {});
});

test("ATM-16 an unreadable body is refused", async () => {
  await assert.rejects(read({ type: "application/xml", text: "<a/>" }), { status: 415 });
  await assert.rejects(read({ type: "application/json", text: "{" }), { status: 400 });
  await assert.rejects(read({ type: "application/json", text: '{"__proto__":{}}' }), { status: 400 });
  await assert.rejects(read({ type: "multipart/form-data; boundary=x", text: "nonsense" }), { status: 400 });
});

test("ATM-8 credentials reach neither args nor request (T110)", async () => {
  const headers = { authorization: "Bearer secret", "x-api-key": "secret", cookie: "s=secret", "x-signature": "abc" };
  const sent = await read({ headers, type: "application/json", text: '{"api_key":"secret","a":1}' });
  assert.doesNotMatch(JSON.stringify({ ...sent, request: { ...sent.request, body: "" } }), /secret/);
  assert.deepEqual(sent.request.headers, { "content-type": "application/json", "x-signature": "abc" });
  assert.equal(sent.request.body, '{"api_key":"secret","a":1}');
});
