import assert from "node:assert/strict";
import { test } from "node:test";
import { createSecret, signedHeaders } from "./sign.ts";

// From the documents of the Standard Webhooks.
const published = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

test("WHK-3 a signature is the one that the standard publishes", () => {
  const { secret, id, timestamp, body, signature } = published;
  assert.deepEqual(signedHeaders({ id, now: timestamp * 1_000 + 999, body, secrets: [secret] }), {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  });
});

test("WHK-9 two secrets give two signatures, with a space between", () => {
  const signed = signedHeaders({ id: "a", now: 0, body: "{}", secrets: [published.secret, createSecret()] });
  const [first, second, ...more] = signed["webhook-signature"]?.split(" ") ?? [];
  assert.ok(first?.startsWith("v1,") && second?.startsWith("v1,") && first !== second);
  assert.deepEqual(more, []);
  assert.notEqual(createSecret(), createSecret());
});
