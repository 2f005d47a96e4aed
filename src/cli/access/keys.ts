// key:create, key:list, key:delete.

import * as keys from "#access/api-keys.ts";
import { isKeyMethod, normalizeEndpoint } from "#access/key-scope.ts";
import type { Call } from "#cli/call.ts";
import { parseList } from "#cli/input.ts";
import { UsageError } from "#cli/usage.ts";
import type { Json } from "#contract/json.ts";
import { type ApiKey, keyMethods } from "#contract/keys.ts";

export async function createKey(
  call: Call,
  options: { name?: string; methods: string; endpoints: string; published?: boolean },
): Promise<void> {
  const { name } = options;
  if (!name) throw new UsageError("A key needs a name that says what it is for: --name.");
  const methods = parseList(options.methods.toUpperCase());
  const endpoints = parseList(options.endpoints);
  checkUsage(methods, endpoints);
  const published = options.published === true;
  const created = await call.work((ctx) => keys.createKey(ctx, { name, methods, endpoints, published }));
  if (call.isJson) return call.out.json({ id: created.id, key: created.key });
  await call.out.line(created.key);
  call.remark(`Key ${created.id} is created. It is shown only now: keep it safe.`);
  const remark = rootRemark(created);
  if (remark !== undefined) call.remark(remark);
}

/** Before anything is opened: a key that cannot be made creates no site. */
function checkUsage(methods: readonly string[], endpoints: readonly string[]): void {
  const unknownMethod = methods.find((method) => !isKeyMethod(method));
  if (methods.length === 0 || unknownMethod !== undefined)
    throw new UsageError(`${quoted("--methods", unknownMethod)} Give a list of ${keyMethods.join(", ")}.`);
  const unknownEndpoint = endpoints.find((endpoint) => normalizeEndpoint(endpoint) === undefined);
  if (endpoints.length === 0 || unknownEndpoint !== undefined)
    throw new UsageError(
      `${quoted("--endpoints", unknownEndpoint)} Give path prefixes such as /collections/blog, or *.`,
    );
}

function quoted(option: string, unknown: string | undefined): string {
  return unknown === undefined ? `${option} is empty.` : `${option} does not take ${JSON.stringify(unknown)}.`;
}

/** Sync imports code, which runs with the rights of the service. */
const isRoot = /^(\*|\/(sync|settings))($|\/)/;

/** A warning for keys that amount to an administrator. */
function rootRemark({ endpoints, published }: ApiKey): string | undefined {
  if (published) return undefined;
  const root = endpoints.filter((endpoint) => isRoot.test(endpoint));
  if (root.length === 0) return undefined;
  return `With ${root.join(" and ")} it amounts to an administrator: it can change code or settings of the whole site.`;
}

export async function listKeys(call: Call): Promise<void> {
  const all = await call.work((ctx) => keys.listKeys(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["ID", "NAME", "KEY", "METHODS", "ENDPOINTS", "DRAFTS", "CREATED", "LAST USED"],
    all.map((key) => [
      key.id,
      key.name,
      `${key.prefix}...`,
      key.methods.join(","),
      key.endpoints.join(","),
      key.published ? "no" : "yes",
      key.created,
      key.lastUsed ?? "never",
    ]),
  );
}

export async function deleteKey(call: Call, _options: unknown, id: string): Promise<void> {
  await call.work((ctx) => keys.deleteKey(ctx, id));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`Key ${id} is deleted.`);
}
