// A server with a client and a person who lets it in, for tests that disturb it. It builds and carries; it never asserts.

import { type Server, startServer } from "../harness.ts";
import { type Client, makeClient } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

export interface OAuthSite {
  server: Server;
  client: Client;
  person: Person;
}

export async function startOAuthSite(): Promise<OAuthSite> {
  // The address stays while ports change, and with it the issuer.
  const env = { CAIRN_URL: "https://cms.example.test" };
  const server = await startServer({
    hasOAuth: true,
    env,
    settings: { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } },
  });
  await makeUser(server, "ada", ["editor"]);
  return { server, person: await signIn(server, "ada"), client: await makeClient(server) };
}
