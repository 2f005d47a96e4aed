// The door for agents: every tool with arguments from the site, every resource and prompt. A tool without arguments here fails the
// run by name.

import { connect, type Reply } from "../mcp/tool-caller.ts";
import type { Door, Seen } from "./door.ts";
import { type Collection, fresh, kept, makeObject, makeSchema, makeVersions } from "./makes.ts";
import type { Person } from "./persons.ts";
import { note, type Round } from "./round.ts";
import { common, type Site } from "./site.ts";

type Arguments = Record<string, unknown>;
type Tool = (site: Site) => Arguments[] | Promise<Arguments[]>;

const both = (make: (at: Collection) => Arguments): Arguments[] => (["notes", "vault"] as const).map(make);
const made = (make: (at: Collection) => Promise<Arguments>) => Promise.all((["notes", "vault"] as const).map(make));

/** By the name of the tool: what it is called with. */
const tools: Record<string, Tool> = {
  list_collections: () => [{}],
  describe_collection: () => both((collection) => ({ collection })),
  query_collection: () => [
    ...both((collection) => ({ collection, limit: 50, expand: "friend,kin.friend" })),
    ...both((collection) => ({ collection, filter: { draft: true } })),
    ...both((collection) => ({ collection, include: "title,body,map,parts,friend" })),
  ],
  get_object: (site) => [
    ...both((collection) => ({ collection, id: kept(site, collection), expand: "friend,kin.friend" })),
    ...both((collection) => ({ collection, id: kept(site, collection), format: "html" })),
    { collection: "notes", id: "live", expand: "friend,kin" },
    { collection: "vault", id: site.ids.closedDraft },
    { collection: "auth", id: "hermit" },
    { collection: "automations", id: "job" },
    { collection: "mailer", id: "letter" },
  ],
  list_references: (site) => [
    { collection: "notes", id: "live" },
    { collection: "notes", id: site.ids.draft },
    { collection: "vault", id: "friend" },
  ],
  search_collection: () => both((collection) => ({ collection, query: common, limit: 50 })),
  search_collections: () => [{ query: common, limit: 50 }],
  get_resource: () => [{ uri: "cairn://notes" }, { uri: "cairn://vault" }, { uri: "cairn://view/view" }],
  create_object: () => both((collection) => ({ collection, id: fresh(), data: { title: "Made" } })),
  update_object: (site) =>
    made(async (collection) => ({
      ...{ collection, id: await makeObject(site, collection) },
      data: { title: "Other", draft: true },
    })),
  patch_object: (site) =>
    made(async (collection) => ({ collection, id: await makeObject(site, collection), data: { count: 2 } })),
  delete_object: (site) => made(async (collection) => ({ collection, id: await makeObject(site, collection) })),
  object_history: ({ changes }) => [
    ...both((collection) => ({ collection, id: "former" })),
    ...changes.former.map((change) => ({ collection: "notes", id: "former", change })),
    ...changes.closedFormer.map((change) => ({ collection: "vault", id: "former", change, diff: "current" })),
  ],
  restore_version: (site) => made(async (collection) => ({ collection, ...(await makeVersions(site, collection)) })),
  upload_file: (site) =>
    both((collection) => ({
      ...{ collection, id: kept(site, collection), property: "box", name: `${fresh()}.txt` },
      content: Buffer.from("x").toString("base64"),
    })),
  list_schemas: () => [{}],
  get_schema: () => [{ id: "door" }],
  create_schema: () => [{ schema: { id: fresh(), properties: { title: { type: "string" } } } }],
  update_schema: async (site) => [{ id: await makeSchema(site), schema: { properties: { a: { type: "string" } } } }],
  delete_schema: async (site) => [{ id: await makeSchema(site) }],
  create_collection: () => [{ id: fresh(), schema: "door" }],
  update_collection: () => [{ collection: "bin", settings: { category: "x" } }],
  get_site_info: () => [{}],
  list_extensions: () => [{}],
  clear_cache: () => [{}],
  docs_search: () => [{ words: "draft" }],
  docs_get: () => [{ page: "guides.querying" }],
  undo_my_changes: () => [{}],
  list_views: () => [{}],
  describe_view: () => [{ id: "view" }],
  query_view: () => [{ id: "view" }],
  get_view: () => [{ id: "view" }],
};

interface Offer {
  name: string;
  uri: string;
}

/** What administrators are offered: everybody asks for all of it. */
export interface Offers {
  tools: string[];
  resources: string[];
  prompts: string[];
}

export async function offersTo(site: Site, { headers }: Person): Promise<Offers> {
  const agent = await connect(site.server, headers);
  const list = async (method: string, key: string): Promise<Offer[]> => (await agent.rpc(method)).result[key];
  return {
    tools: (await list("tools/list", "tools")).map(({ name }) => name),
    resources: (await list("resources/list", "resources")).map(({ uri }) => uri),
    prompts: (await list("prompts/list", "prompts")).map(({ name }) => name),
  };
}

/** Names of tools that nothing here calls. */
export const unknownTools = (offers: Offers): string[] => offers.tools.filter((name) => !Object.hasOwn(tools, name));

export async function visitAgents(site: Site, round: Round, person: Person, offers: Offers): Promise<void> {
  const agent = await connect(site.server, person.headers);
  const noted = async (operation: string, sent: Arguments, ask: () => Promise<Reply>) => {
    const { status, result, error } = await ask();
    const isRefused = status >= 400 || error !== undefined || result?.isError === true;
    const seen: Seen = {
      status: isRefused ? Math.max(status, 400) : status,
      text: JSON.stringify({ result, error }),
      isImage: false,
    };
    const door: Door = { operation, method: "POST", path: "/mcp", body: { operation, ...sent }, surface: "mcp" };
    note(site, round, person, door, seen);
  };
  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
    await noted(`MCP ${method}`, {}, () => agent.rpc(method));
  for (const name of offers.tools)
    for (const args of (await tools[name]?.(site)) ?? [])
      await noted(`MCP ${name}`, args, () => agent.call(name, args));
  for (const uri of offers.resources)
    await noted("MCP resources/read", { uri }, () => agent.rpc("resources/read", { uri }));
  for (const name of offers.prompts)
    await noted("MCP prompts/get", { name }, () => agent.rpc("prompts/get", { name, arguments: {} }));
}
