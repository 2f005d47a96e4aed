// Clients that are described by a document at the address which is their id.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { certificate, key } from "../support/loopback-tls.ts";
import { askFor, authorizePath, connect, makePkce, redirectUri, refresh } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let person: Person;
let site: TlsServer;
let base: string;
let visits = 0;
const folder = mkdtempSync(join(tmpdir(), "cairn-documents-"));
/** By path: what the site answers. */
const documents = new Map<string, string>();

before(async () => {
  writeFileSync(join(folder, "ca.pem"), certificate);
  site = createServer({ key, cert: certificate }, ({ url = "/" }, response) => {
    visits += 1;
    if (url === "/moved.json") response.writeHead(302, { location: "/app.json" }).end();
    else response.end(documents.get(url) ?? "");
  }).listen(0, "127.0.0.1");
  await new Promise((done) => site.once("listening", done));
  base = `https://localhost:${(site.address() as AddressInfo).port}`;
  server = await startServer({
    hasOAuth: true,
    env: { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
    settings: { oauth: { clientIdMetadataDocuments: true }, files: { allowPrivateHosts: true } },
  });
  await makeUser(server, "ada", ["editor"]);
  person = await signIn(server, "ada");
});
after(async () => {
  await server.stop();
  site.close();
  rmSync(folder, { recursive: true });
});

function publish(path: string, more: object = {}): string {
  const client_id = base + path;
  documents.set(path, JSON.stringify({ client_id, client_name: "Doc <App>", redirect_uris: [redirectUri], ...more }));
  return client_id;
}
const ask = (id: string) => authorizePath(askFor({ id }, makePkce().challenge, { scope: "cms:read" }));

test("OAU-28 a client that names its document goes the whole way, marked as self-registered", async () => {
  const id = publish("/app.json");
  const { body } = await server.request("GET", "/.well-known/oauth-authorization-server", { key: null });
  assert.equal(body.client_id_metadata_document_supported, true);
  visits = 0;
  const unknown = await server.request("GET", ask(id), { key: null });
  assert.match(unknown.headers.get("location") ?? "", /^\/login\?/);
  assert.equal(visits, 0);
  const page = await person.request("GET", ask(id));
  assert.equal(page.status, 200);
  assert.match(page.text, /Doc &lt;App&gt;/);
  assert.match(page.text, /self-registered/);
  const tokens = await connect(server, person, { client: { id }, scope: "cms:read" });
  assert.equal((await refresh(server, { id }, tokens.refreshToken)).status, 200);
  assert.equal(visits, 1);
  const { data } = (await server.request("GET", "/api/oauth-clients")).body;
  assert.deepEqual(
    data.map((client: { id: string; origin: string; grants: number }) => [client.id, client.origin, client.grants]),
    [[id, "document", 1]],
  );
});

test("OAU-28 OAU-30 a document that does not fit, or cannot be had, names no client", async () => {
  const bad = [
    publish("/other.json", { client_id: `${base}/app.json` }),
    publish("/secret.json", { client_secret: "x" }),
    publish("/method.json", { token_endpoint_auth_method: "client_secret_post" }),
    publish("/uris.json", { redirect_uris: ["javascript:alert(1)"] }),
    publish("/large.json", { padding: "x".repeat(70_000) }),
    publish(`/${"long".repeat(100)}.json`),
    `${base}/empty.json`,
    `${base}/moved.json`,
    `${base}/`,
    `${base}/app.json#x`,
    base.replace("https:", "http:"),
    `${base}/a/../app.json`,
    "https://user@localhost/app.json",
  ];
  for (const id of bad) {
    const answer = await person.request("GET", ask(id));
    assert.equal(answer.status, 400, id);
    assert.equal(answer.headers.get("location"), null);
  }
});

test("OAU-28 TOK-42 an administrator deletes such a client by its address", async () => {
  const id = publish(`/${"a".repeat(250)}.json`);
  await connect(server, person, { client: { id }, scope: "cms:read" });
  assert.equal((await server.request("DELETE", `/api/oauth-clients/${encodeURIComponent(id)}`)).status, 204);
});

test("OAU-28 no document comes from a private address, or while it is switched off", async () => {
  const id = publish("/inside.json");
  visits = 0;
  await server.request("PUT", "/api/settings/files", { body: { allowPrivateHosts: false } });
  assert.equal((await person.request("GET", ask(id))).status, 400);
  assert.equal(visits, 0);
  await server.request("PUT", "/api/settings/files", { body: { allowPrivateHosts: true } });
  await server.request("PUT", "/api/settings/oauth", { body: { clientIdMetadataDocuments: null } });
  assert.equal((await person.request("GET", ask(id))).status, 400);
  assert.equal((await person.request("GET", ask(`${base}/app.json`))).status, 400);
  assert.equal(visits, 0);
  const { body } = await server.request("GET", "/.well-known/oauth-authorization-server", { key: null });
  assert.equal(body.client_id_metadata_document_supported, undefined);
});
