// Redirect URIs that are nearly the registered one. Each is tried where the code is asked for, and a part of them where
// it is redeemed; not one may be taken.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import {
  askFor,
  askToken,
  authorizePath,
  type Client,
  getCode,
  makeClient,
  makePkce,
  redirectUri,
} from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const local = "http://127.0.0.1:7777/callback";
const app = "com.example.app:/done";

let server: Server;
let person: Person;
let client: Client;
before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } } });
  await makeUser(server, "edith", ["editor"]);
  person = await signIn(server, "edith");
  client = await makeClient(server, { redirectUris: [redirectUri, local, app] });
});
after(() => server.stop());

/** All that parsers, people and attackers have been known to take for the same. */
function variantsOf(uri: string): Set<string> {
  const found = new Set<string>();
  const [, scheme = "", host = "", path = ""] = /^([^:]+):(?:\/\/)?([^/]*)(\/.*)$/.exec(uri) ?? [];
  const add = (...more: string[]) => {
    for (const variant of more) if (variant !== uri) found.add(variant);
  };
  const odd = [" ", "%20", "%00", "%0a", "%0d%0a", "%09", "\t", "\n", "\0", "\u200b", "\u00a0", "\ufeff", "\u202e"];
  const tails = [
    "/",
    "//",
    "?",
    "#",
    "?x=1",
    "#x",
    ".",
    "/.",
    "/..",
    "/../callback",
    ";",
    ";x=1",
    "%2f",
    "%3f",
    "%23",
    "\\",
  ];
  for (const tail of [
    ...odd,
    ...tails,
    "*",
    "@evil.test",
    "x",
    "/evil",
    "?code=stolen",
    "?redirect_uri=https://evil.test",
  ])
    add(uri + tail);
  for (const head of [
    ...odd,
    "x",
    "//",
    "/",
    "https://evil.test/?u=",
    "https://evil.test#",
    "javascript:",
    "view-source:",
  ])
    add(head + uri);
  for (let at = 1; at < uri.length; at += 1) {
    add(uri.slice(0, at));
    const letter = uri[at] as string;
    add(uri.slice(0, at) + letter.toUpperCase() + uri.slice(at + 1));
    add(`${uri.slice(0, at)}%${letter.charCodeAt(0).toString(16)}${uri.slice(at + 1)}`);
  }
  for (const other of ["http", "HTTPS", "Https", "httpss", "ftp", "file", "data", "javascript", "com.evil.app", ""])
    add(`${other}://${host}${path}`, `${other}:${host}${path}`, `${other}:/${host}${path}`);
  for (const other of [
    ...[
      `evil.test`,
      `${host}.evil.test`,
      `evil.${host}`,
      `evil${host}`,
      `${host}evil`,
      `www.${host}`,
      `${host}.`,
      `.${host}`,
    ],
    ...[
      `${host}@evil.test`,
      `evil.test@${host}`,
      `user:pass@${host}`,
      `${host}:443`,
      `${host}:80`,
      `${host}:`,
      `${host}:0`,
    ],
    ...[
      `${host}\\@evil.test`,
      `evil.test\\@${host}`,
      `${host}%2eevil.test`,
      `${host}%00.evil.test`,
      `${host}%2f@evil.test`,
    ],
    ...[
      `${host}#@evil.test`,
      `${host}?@evil.test`,
      `${host};@evil.test`,
      `${host}&@evil.test`,
      `evil.test/${host}`,
      "*",
      "",
    ],
    ...[
      "app.ex\u0430mple.test",
      "app.example\u3002test",
      "\uff41pp.example.test",
      "xn--pp-8cd.example.test",
      `[${host}]`,
    ],
    ...[
      "localhost",
      "localhost:7777",
      "127.0.0.1",
      "127.0.0.1:7778",
      "127.0.0.1:77777",
      "127.1:7777",
      "[::1]:7777",
      "0.0.0.0",
    ],
    ...["2130706433:7777", "0x7f000001:7777", "0177.0.0.1:7777", "127.0.0.1.nip.test:7777", "[::ffff:127.0.0.1]:7777"],
  ])
    add(`${scheme}://${other}${path}`);
  for (const other of ["", "/", "/Callback", "/CALLBACK", "/callbac", "/callback2", "/./callback", "/x/../callback"])
    add(`${scheme}://${host}${other}`);
  for (const other of [
    "//callback",
    "/%63allback",
    "/callback/%2e%2e",
    "/..;/callback",
    "\\callback",
    "/callback%252f",
  ])
    add(`${scheme}://${host}${other}`);
  return found;
}

test("TOK-63 hundreds of altered redirect URIs: a page that says so, never a redirect (T75)", async (t) => {
  const variants = [...new Set([redirectUri, local, app].flatMap((uri) => [...variantsOf(uri)]))];
  const { challenge } = makePkce();
  const taken: string[] = [];
  for (const variant of variants) {
    const query = askFor(client, challenge, { scope: "cms:read", redirect_uri: variant });
    const { status, headers, text } = await person.request("GET", authorizePath(query));
    if (status !== 400 || headers.get("location") !== null || /<form/.test(text)) taken.push(`${status} ${variant}`);
  }
  t.diagnostic(`${variants.length} variants, ${taken.length} taken`);
  assert.deepEqual(taken, []);
  assert.ok(variants.length >= 300);
});

test("TOK-63 repeated, empty and missing redirect URIs are refused without a redirect (T75, T77)", async () => {
  const { challenge } = makePkce();
  const plain = authorizePath(askFor(client, challenge, { scope: "cms:read" }));
  const without = plain.replace(/&redirect_uri=[^&]*/, "");
  const evil = encodeURIComponent("https://evil.test/");
  const again = `&redirect_uri=${encodeURIComponent(redirectUri)}`;
  for (const path of [
    ...[without, `${without}&redirect_uri=`, `${plain}&redirect_uri=${evil}`, `${plain}${again}`],
    ...[`${without}&redirect_uri[]=${evil}`, `${without}&redirect_uri[0]=${encodeURIComponent(redirectUri)}`],
    ...[`${without}&Redirect_uri=${evil}`, `${plain}&client_id=${client.id}`, `${plain}&client_id=other`],
  ]) {
    const { status, headers } = await person.request("GET", path);
    assert.equal(status, 400, path);
    assert.equal(headers.get("location"), null, path);
  }
});

test("TOK-63 a code is redeemed with the very URI it was sent to, and with no other (T75, T81)", async () => {
  const near = [...variantsOf(redirectUri)].filter((_, at) => at % 12 === 0);
  for (const uri of [...near, local, app, ""]) {
    const { verifier, challenge } = makePkce();
    const code = await getCode(person, askFor(client, challenge, { scope: "cms:read" }));
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: uri };
    const { status, body } = await askToken(server, client, fields);
    assert.equal(status, 400, uri);
    assert.match(body.error, /^invalid_(grant|request)$/, uri);
  }
});

test("TOK-63 the registered URIs themselves are taken", async () => {
  for (const uri of [redirectUri, local, app]) {
    const { verifier, challenge } = makePkce();
    const code = await getCode(person, askFor(client, challenge, { scope: "cms:read", redirect_uri: uri }));
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: uri };
    assert.equal((await askToken(server, client, fields)).status, 200, uri);
  }
});
