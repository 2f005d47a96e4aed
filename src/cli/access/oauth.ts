// oauth:setup, oauth:gc, oauth:clients, oauth:grants.

import type { Call } from "#cli/call.ts";
import type { Json } from "#contract/json.ts";
import * as clients from "#oauth/clients.ts";
import { collectGarbage } from "#oauth/gc.ts";
import * as grants from "#oauth/grants.ts";
import { setUpKeys } from "#oauth/keys.ts";

export async function setUp(call: Call, { force = false }: { force?: boolean }): Promise<void> {
  const keys = await call.work((ctx) => setUpKeys(ctx, { force }));
  if (call.isJson) return call.out.json(keys as unknown as Json);
  if (!keys.created) return call.out.line(`The signing keys exist already: ${keys.privateKey}`);
  await call.out.line(`The signing keys are created: ${keys.privateKey}`);
  if (force) await call.out.line(`All tokens are invalid now; ${counted(keys.revoked, "grant")} ended.`);
}

export async function collect(call: Call): Promise<void> {
  const { grants: ended, removed } = await call.work((ctx) => collectGarbage(ctx));
  if (call.isJson) return call.out.json({ grants: ended, clients: removed.length });
  await call.out.line(`Pruned ${counted(ended, "expired OAuth grant")}.`);
  await call.out.line(`Pruned ${counted(removed.length, "stale dynamic client")}.`);
  if (removed.length === 0) return;
  await call.out.table(
    ["CLIENT", "NAME"],
    removed.map(({ id, name }) => [id, name]),
  );
}

export async function listClients(call: Call): Promise<void> {
  const all = await call.work((ctx) => clients.listClients(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["ID", "NAME", "ORIGIN", "SECRET", "GRANTS", "SCOPES", "REDIRECT URIS", "CREATED", "LAST USED"],
    all.map((client) => [
      client.id,
      client.name,
      client.origin,
      client.confidential ? "yes" : "no",
      String(client.grants),
      client.scopes.join(" "),
      client.redirectUris.join(" "),
      client.created,
      client.lastUsed ?? "never",
    ]),
  );
}

export async function listGrants(call: Call): Promise<void> {
  const all = await call.work((ctx) => grants.listGrants(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["ID", "CLIENT", "USER", "SCOPES", "CREATED", "LAST USED", "EXPIRES"],
    all.map((grant) => [
      grant.id,
      grant.clientName,
      grant.userId,
      grant.scopes.join(" "),
      grant.created,
      grant.lastUsed ?? "never",
      grant.expires,
    ]),
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
