// How much one caller may have rendered, and that others get their turn. Behind a trusted proxy, which names the addresses.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import { inOneMinute, until } from "#base/patience.fixture.ts";
import { http, type Server, send, startServer } from "../../harness.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

const most = 5;
/** More than render and wait at once. */
const flood = 2 * availableParallelism() + 230;

let server: Server;
before(async () => {
  const env = { CAIRN_TRUST_PROXY: "loopback", CAIRN_SITE_RENDER_LIMIT: String(most) };
  server = await startServer({ env });
  const work = "{% for i in (1..1000) %}{% assign x = i | plus: 1 %}{% endfor %}";
  const template = `{% layout none %}${work}{{ request.query.q }}`;
  assert.equal((await server.request("PUT", "/api/templates/pages/echo", { body: { template } })).status, 201);
  const page = { id: "echo", title: "Echo", route: "/echo", template: "echo" };
  assert.equal((await server.request("POST", "/api/collections/builder-pages", { body: page })).status, 201);
});
after(() => server.stop());

let asked = 0;
const ask = (address: string, query = `new${asked++}`) =>
  server.request("GET", `/echo?q=${query}`, { key: null, headers: { "x-forwarded-for": address } });
const askTimes = async (times: number, address: string) => {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await ask(address));
  return answers;
};

test("CACHE-60 a network has so many pages rendered in a minute; kept ones are sent, and others are not concerned", async () => {
  await makeUser(server, "ed", ["editor"]);
  const editor = await signIn(server, "ed");
  // Once it is kept it may be asked for more often than pages are made.
  let visitor = 0;
  await until(async () => {
    visitor += 1;
    const answers = [];
    for (let n = 0; n <= most; n += 1) answers.push(await ask(`192.0.2.${visitor}`, "kept"));
    return answers.every(({ status }) => status === 200);
  });
  let round = 0;
  const { first, over, kept, other, own } = await inOneMinute(async () => {
    round += 1;
    const network = `2001:db8:${round}`;
    return {
      first: await askTimes(most, `${network}::1`),
      over: await ask(`${network}::2`),
      kept: await ask(`${network}::3`, "kept"),
      other: await ask(`2001:db8:${round}:1::1`),
      own: await editor.request("GET", `/echo?q=own${round}`, { headers: { "x-forwarded-for": `${network}::1` } }),
    };
  });
  assert.deepEqual(
    first.map(({ status }) => status),
    Array(most).fill(200),
  );
  assert.equal(over.status, 429);
  assert.match(over.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
  assert.equal(over.body.error.code, 429);
  assert.deepEqual([kept.status, kept.text], [200, "kept"]);
  assert.deepEqual([other.status, own.status], [200, 200]);
});

test("CACHE-61 a visitor gets a page while another address has filled the queue", async () => {
  await server.setSetting("site.renderLimit", 0);
  let answered = 0;
  const alone = new http.Agent({ keepAlive: false });
  const headers = { "x-forwarded-for": "198.51.100.1" };
  const many = Array.from({ length: flood }, async (_, n) => {
    const { status } = await send(alone, server.url, "GET", `/echo?q=flood${n}`, { headers });
    answered += 1;
    return status;
  });
  await Promise.race(many);
  assert.equal((await ask("198.51.100.2")).status, 200);
  const before = answered;
  const statuses = await Promise.all(many);
  assert.ok(before < flood / 2, `${before} of ${flood} came first`);
  assert.ok(statuses.every((status) => status === 200 || status === 503));
});

test("CACHE-62 warming the site waits where the server makes no more pages in this minute", async () => {
  const statuses: number[] = [];
  const busy = http.createServer((_request, response) => {
    const status = statuses.length === 0 ? 429 : 200;
    statuses.push(status);
    response.writeHead(status, { "retry-after": "1" }).end();
  });
  await once(busy.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = busy.address() as AddressInfo;
    const { code, stdout } = await server.cli(["site:warm", `http://127.0.0.1:${port}`]);
    assert.deepEqual([code, stdout.trim()], [0, `${statuses.length - 1} pages were asked for, 0 of them failed.`]);
  } finally {
    busy.close();
    busy.closeAllConnections();
  }
});
