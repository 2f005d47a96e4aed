// Other people's OAuth clients against the server, with all their own checks on: nothing here knows how ours is built.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  auth as authV2,
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { auth as authV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { type Server, startServer } from "../harness.ts";
import { decide, makeClient, redirectUri, withToken } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

let server: Server;
let person: Person;
before(async () => {
  server = await startServer({ hasOAuth: true });
  await server.makeCollection({ id: "news", schema: "blog" });
  await makeUser(server, "edith", ["editor"]);
  person = await signIn(server, "edith");
});
after(() => server.stop());

/** The person follows the link, approves, and is sent back to this address. */
async function approve(link: URL): Promise<URL> {
  const answer = await decide(person, Object.fromEntries(link.searchParams));
  return new URL(answer.headers.get("location") ?? "");
}

const reads = async (token: string) => (await withToken(server, token, "GET", "/api/collections/news")).status;
/** At the resource that the token was asked for. */
const talks = async (token: string) => {
  const clientInfo = { name: "client", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const headers = { accept: "application/json, text/event-stream" };
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  return (await withToken(server, token, "POST", "/mcp", { headers, body })).status;
};

test("TOK-60 oauth4webapi goes the whole way as a self-registered public client (T91)", async () => {
  const issuer = new URL(server.url);
  const resource = new URL("/mcp", issuer);
  const api = new URL("/api", issuer);
  const guarded = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  );
  assert.deepEqual(guarded.authorization_servers, [server.url]);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  );
  assert.deepEqual(as.code_challenge_methods_supported, ["S256"]);
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: "Probe", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      insecure,
    ),
  );
  assert.equal(client.client_secret, undefined);

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const link = new URL(as.authorization_endpoint as string);
  link.search = new URLSearchParams({
    ...{ client_id: client.client_id, redirect_uri: redirectUri, response_type: "code", state },
    ...{ scope: "cms:read", resource: api.href, code_challenge_method: "S256" },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString();
  const back = oauth.validateAuthResponse(as, client, await approve(link), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), back, redirectUri, verifier, insecure),
  );
  const { access_token: token, refresh_token: refreshToken = "" } = tokens;
  assert.deepEqual([tokens.token_type, tokens.scope, tokens.expires_in], ["bearer", "cms:read", 3600]);

  const headers = { authorization: `Bearer ${token}` };
  const claims = await oauth.validateJwtAccessToken(as, new Request(resource, { headers }), api.href, insecure);
  assert.deepEqual([claims.sub, claims.client_id, claims.scope], ["edith", client.client_id, "cms:read"]);
  const read = await oauth.protectedResourceRequest(
    token,
    "GET",
    new URL("/api/collections/news", issuer),
    undefined,
    undefined,
    insecure,
  );
  assert.equal(read.status, 200);

  const next = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, insecure),
  );
  assert.notEqual(next.refresh_token, refreshToken);
  assert.equal(await reads(next.access_token), 200);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, oauth.None(), next.access_token, insecure),
  );
  assert.equal(await reads(next.access_token), 401);
  assert.equal(await reads(token), 401);
});

for (const [method, proof] of [
  ["client_secret_basic", openid.ClientSecretBasic],
  ["client_secret_post", openid.ClientSecretPost],
] as const) {
  test(`TOK-60 openid-client goes the whole way as a confidential client, by ${method} (T84)`, async () => {
    const { id, secret } = await makeClient(server, { confidential: true });
    const options: openid.DiscoveryRequestOptions = { algorithm: "oauth2", execute: [openid.allowInsecureRequests] };
    const config = await openid.discovery(new URL(server.url), id, {}, proof(secret), options);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const link = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "cms:read cms:write",
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    const tokens = await openid.authorizationCodeGrant(config, await approve(link), {
      pkceCodeVerifier,
      expectedState,
    });
    assert.equal(await reads(tokens.access_token), 200);
    const url = new URL("/api/collections/news", server.url);
    const read = await openid.fetchProtectedResource(config, tokens.access_token, url, "GET");
    assert.equal(read.status, 200);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.equal(next.scope, "cms:read cms:write");
    await openid.tokenRevocation(config, next.refresh_token ?? "");
    assert.equal(await reads(next.access_token), 401);
    await assert.rejects(openid.refreshTokenGrant(config, next.refresh_token ?? ""), { error: "invalid_grant" });
  });
}

/** What an application with one of the MCP libraries keeps between the steps; it starts with nothing. */
function createProvider() {
  // biome-ignore lint/suspicious/noExplicitAny: two libraries, two sets of types
  const kept: any = {};
  return {
    kept,
    get redirectUrl() {
      return redirectUri;
    },
    get clientMetadata() {
      return {
        client_name: "Agent",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
      };
    },
    state: () => "agent-state",
    clientInformation: () => kept.client,
    saveClientInformation(client: unknown) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: unknown) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(link: URL) {
      kept.link = link;
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier as string,
    discoveryState: () => kept.discovery,
    saveDiscoveryState(discovery: unknown) {
      kept.discovery = discovery;
    },
  };
}

for (const [name, auth] of [
  ["version 1", authV1],
  ["version 2", authV2],
] as const) {
  test(`TOK-61 the MCP client library, ${name}, finds the server, registers, and gets and refreshes tokens`, async () => {
    const provider = createProvider();
    const { kept } = provider;
    const serverUrl = `${server.url}/mcp`;
    assert.equal(await auth(provider, { serverUrl }), "REDIRECT");
    assert.equal(kept.link.origin, server.url);
    const back = (await approve(kept.link)).searchParams;
    assert.equal(back.get("state"), "agent-state");
    const authorizationCode = back.get("code") ?? "";
    const iss = back.get("iss") ?? "";
    assert.equal(await auth(provider, { serverUrl, authorizationCode, iss }), "AUTHORIZED");
    assert.equal(await talks(kept.tokens.access_token), 200);
    assert.ok(!kept.tokens.scope.split(" ").includes("cms:admin"));

    const first = kept.tokens;
    assert.equal(await auth(provider, { serverUrl }), "AUTHORIZED");
    assert.notEqual(kept.tokens.refresh_token, first.refresh_token);
    assert.equal(await talks(kept.tokens.access_token), 200);
  });
}

for (const [name, Client, Transport] of [
  ["version 1", ClientV1, TransportV1],
  ["version 2", ClientV2, TransportV2],
] as const) {
  test(`TOK-61 an MCP client, ${name}, is refused, sends its user to the consent page, and then lists tools`, async () => {
    const provider = createProvider();
    const url = new URL("/mcp", server.url);
    const open = () => {
      // biome-ignore lint/suspicious/noExplicitAny: two libraries, two sets of types
      const transport: any = new Transport(url, { authProvider: provider });
      return { transport, client: new Client({ name: "agent", version: "1" }) };
    };
    const first = open();
    await assert.rejects(first.client.connect(first.transport), /Unauthorized/);
    const back = (await approve(provider.kept.link)).searchParams;
    await first.transport.finishAuth(name === "version 2" ? back : back.get("code"));
    const { client, transport } = open();
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0);
    assert.ok(!tools.some((tool) => tool.name === "create_schema"));
    await client.close();
  });
}
