// Tokens that somebody made up, changed, or took from elsewhere. Not one may count.

import assert from "node:assert/strict";
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect as openSocket } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { claimsOf, connect, makeClient, withToken } from "../support/oauth-app.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

const path = "/api/collections/shown/one";
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });

let server: Server;
let own: KeyObject;
let real: string;
let header: Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: claims of any shape
let claims: any;

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 } } });
  await server.makeCollection({ id: "shown", schema: "blog", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/shown", { body: { id: "one", title: "One" } });
  await makeUser(server, "edith", ["editor"]);
  const client = await makeClient(server);
  const person = await signIn(server, "edith");
  real = (await connect(server, person, { client, scope: "cms:read" })).accessToken;
  header = JSON.parse(Buffer.from(real.split(".")[0] as string, "base64url").toString("utf8"));
  claims = claimsOf(real);
  own = createPrivateKey(readFileSync(join(server.dataDir, ".system", "oauth-keys", "private.key")));
});
after(() => server.stop());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const statusOf = async (token: string) => (await withToken(server, token, "GET", path)).status;

interface Forging {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: KeyObject;
  digest?: string;
  signature?: (input: string) => string;
}

/** Signed by the server's own key unless told otherwise; `undefined` takes a member away. */
function forge({ header: h = {}, claims: c = {}, key = own, digest = "sha256", signature }: Forging): string {
  const input = `${encode({ ...header, ...h })}.${encode({ ...claims, ...c })}`;
  return `${input}.${signature ? signature(input) : sign(digest, Buffer.from(input), key).toString("base64url")}`;
}

test("TOK-2 the forge itself works: an unchanged token, signed again, is valid", async () => {
  assert.equal(await statusOf(real), 200);
  assert.equal(await statusOf(forge({})), 200);
});

test("TOK-2 TOK-3 no token with another algorithm, key or header counts (T87)", async () => {
  const publicPem = createPublicKey(own).export({ type: "spki", format: "pem" }) as string;
  const publicDer = createPublicKey(own).export({ type: "spki", format: "der" });
  const hmac = (secret: string | Buffer) => (input: string) =>
    createHmac("sha256", secret).update(input).digest("base64url");
  const otherJwk = other.publicKey.export({ format: "jwk" });
  let visits = 0;
  const canary = createServer((_, reply) => {
    visits += 1;
    reply.setHeader("content-type", "application/json");
    reply.end(JSON.stringify({ keys: [{ ...otherJwk, kid: header.kid, alg: "RS256", use: "sig" }] }));
  }).listen(0, "127.0.0.1");
  await new Promise((done) => canary.once("listening", done));
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/jwks.json`;

  const forged: Record<string, string> = {
    "alg none": forge({ header: { alg: "none" }, signature: () => "" }),
    "alg None": forge({ header: { alg: "None" }, signature: () => "" }),
    "alg NONE with a signature": forge({ header: { alg: "NONE" } }),
    "no alg": forge({ header: { alg: undefined } }),
    "alg a list": forge({ header: { alg: ["RS256"] } }),
    "HS256 with the public PEM": forge({ header: { alg: "HS256" }, signature: hmac(publicPem) }),
    "HS256 with the trimmed PEM": forge({ header: { alg: "HS256" }, signature: hmac(publicPem.trim()) }),
    "HS256 with the public DER": forge({ header: { alg: "HS256" }, signature: hmac(publicDer) }),
    "HS256 with the kid": forge({ header: { alg: "HS256" }, signature: hmac(String(header.kid)) }),
    "HS256 with nothing": forge({ header: { alg: "HS256" }, signature: hmac("") }),
    "RS256 label, HMAC signature": forge({ signature: hmac(publicPem) }),
    RS384: forge({ header: { alg: "RS384" }, digest: "sha384" }),
    RS512: forge({ header: { alg: "RS512" }, digest: "sha512" }),
    "PS256 label": forge({ header: { alg: "PS256" } }),
    ES256: forge({ header: { alg: "ES256" }, key: curve.privateKey }),
    "another key under the same kid": forge({ key: other.privateKey }),
    "another key, its own kid": forge({ header: { kid: "other" }, key: other.privateKey }),
    "another key brought as jwk": forge({ header: { jwk: otherJwk }, key: other.privateKey }),
    "another key at jku": forge({ header: { jku: url }, key: other.privateKey }),
    "another key at x5u": forge({ header: { x5u: url }, key: other.privateKey }),
    "a path as kid": forge({ header: { kid: "../../../../dev/null" }, signature: hmac("") }),
    "our key, another kid": forge({ header: { kid: "other" } }),
    "our key, no kid": forge({ header: { kid: undefined } }),
    "typ JWT": forge({ header: { typ: "JWT" } }),
    "no typ": forge({ header: { typ: undefined } }),
    "typ of an ID token": forge({ header: { typ: "id_token+jwt" } }),
    "an unknown crit": forge({ header: { crit: ["exp2"], exp2: 1 } }),
    "crit b64": forge({ header: { crit: ["b64"], b64: false } }),
  };
  const accepted: string[] = [];
  for (const [name, token] of Object.entries(forged)) if ((await statusOf(token)) !== 401) accepted.push(name);
  canary.close();
  assert.deepEqual(accepted, []);
  assert.equal(visits, 0);
});

test("TOK-2 TOK-4 no token with other claims counts, though our own key signed it (T87, T88)", async () => {
  const now = Math.floor(Date.now() / 1000);
  const foreign = "https://other.example.test";
  const changed: Record<string, Record<string, unknown>> = {
    "another issuer": { iss: foreign },
    "no issuer": { iss: undefined },
    "the issuer with a slash": { iss: `${claims.iss}/` },
    "the issuer in capitals": { iss: String(claims.iss).toUpperCase() },
    "a list of issuers": { iss: [claims.iss] },
    "another audience": { aud: foreign },
    "no audience": { aud: undefined },
    "an empty audience": { aud: [] },
    "an audience below ours": { aud: `${claims.iss}/mcp/evil` },
    "an audience that begins like ours": { aud: `${claims.iss}.evil.test/mcp` },
    expired: { exp: now - 1, iat: now - 3600 },
    "expired long ago": { exp: 1, iat: 0 },
    "no end": { exp: undefined },
    "an end that is a text": { exp: "9999999999" },
    "an end that is no number": { exp: null },
    "not yet valid": { nbf: now + 3600 },
    "no beginning": { iat: undefined },
    "no grant": { grant_id: undefined },
    "an unknown grant": { grant_id: "00000000-0000-4000-8000-000000000000" },
    "a grant that is a list": { grant_id: [claims.grant_id] },
    "an empty grant": { grant_id: "" },
    "another user": { sub: "boss" },
    "no user": { sub: undefined },
    "another client": { client_id: "00000000-0000-4000-8000-000000000000" },
    "no client": { client_id: undefined },
    "no scope": { scope: undefined },
    "no jti": { jti: undefined },
  };
  const accepted: string[] = [];
  for (const [name, change] of Object.entries(changed))
    if ((await statusOf(forge({ claims: change }))) !== 401) accepted.push(name);
  assert.deepEqual(accepted, []);
});

test("TOK-2 a scope that was not approved is worth nothing, though our own key signed it (T87)", async () => {
  const wide = forge({ claims: { scope: "cms:read cms:write cms:admin" } });
  assert.equal(await statusOf(wide), 200);
  assert.equal((await withToken(server, wide, "PATCH", path, { body: { title: "x" } })).status, 403);
  assert.equal((await withToken(server, wide, "GET", "/api/schemas")).status, 403);
  assert.equal(await statusOf(forge({ claims: { scope: "" } })), 403);
  assert.equal(await statusOf(forge({ claims: { scope: ["cms:read"] } })), 401);
});

test("TOK-2 no damaged token counts (T87)", async () => {
  const [h = "", c = "", s = ""] = real.split(".");
  const flip = (part: string, at: number) => part.slice(0, at) + (part[at] === "A" ? "B" : "A") + part.slice(at + 1);
  const damaged: string[] = [
    ...[`${h}.${c}.`, `${h}.${c}`, `${h}.${c}..${s}`, `.${c}.${s}`, `${h}..${s}`, `${h}.${c}.${s}.`, `${real}.${real}`],
    ...[`${h}.${c}.${s}AAAA`, `${h}.${c}.${s.slice(0, -4)}`, `${h}.${flip(c, 30)}.${s}`, `${flip(h, 5)}.${c}.${s}`],
    ...[...Array(20)].map((_, n) => `${h}.${c}.${flip(s, n * 17)}`),
    ...[...Array(20)].map((_, n) => real.slice(0, Math.floor((real.length * n) / 20))),
    ...[
      real.toUpperCase(),
      `${real}%00`,
      `${real},${real}`,
      `"${real}"`,
      real.replaceAll(".", "%2e"),
      "null",
      "undefined",
    ],
    ...[`${h}.${Buffer.from("null").toString("base64url")}.${s}`, "a.b.c", "..", "...", `${"A".repeat(9000)}.A.A`],
    `${h}.${c}.${Buffer.alloc(256).toString("base64url")}`,
  ].filter((token) => token !== "" && token !== real);
  const accepted: string[] = [];
  for (const token of damaged) {
    const status = await statusOf(token);
    if (status !== 401) accepted.push(`${status} ${token.slice(0, 40)}`);
  }
  assert.deepEqual(accepted, []);
  assert.equal(await statusOf(real), 200);
});

/** One request as these bytes; resolves to the status line. */
function sendRaw(authorization: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, failed) => {
    const socket = openSocket(Number(port), hostname);
    let received = "";
    socket.on("data", (chunk) => (received += chunk));
    socket.on("error", failed);
    socket.on("close", () => done(received.split("\r\n", 1)[0] as string));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization}\r\n\r\n`);
  });
}

test("TOK-2 a token that is broken over lines, or sent twice, does not count (T87)", async () => {
  const [h = "", c = "", s = ""] = real.split(".");
  assert.match(await sendRaw(`Authorization: Bearer ${real}`), / 200 /);
  for (const lines of [
    `Authorization: Bearer ${h}.\r\n ${c}.${s}`,
    `Authorization: Bearer\r\n ${real}x`,
    `Authorization: Bearer ${h}.\n${c}.${s}`,
    `Authorization: Bearer ${h}.\0${c}.${s}`,
    `Authorization: Bearer ${h}.\t${c}.${s}`,
    `Authorization: Bearer junk\r\nAuthorization: Bearer ${real}`,
  ])
    assert.match(await sendRaw(lines), / 4\d\d /, JSON.stringify(lines.slice(0, 40)));
});
