// What somebody would send who wants more than they have: for each route that writes, bodies that would make an
// administrator, open a collection, bring code, or carry closed content to where it can be read.
// A route that is not named here gets the request of its row.

import type { Sending, Sent } from "./row.ts";

/** Signs in, should any attack have made it. */
export const evil = { email: "evil@example.org", password: "Evil-horse-battery" };
export const canary = "CANARY-7f31";

const open = { publicOperations: ["create", "read", "update", "delete"], publicFiles: true, groups: [] };
const opened = { ...open, mcp: { access: "public", resource: true } };
const code =
  'export default async (ctx) => ({ users: await ctx.objects.list("auth"), vault: await ctx.objects.list("vault") })';
const template = "{% for one in objects %}{{ one | json }}{% endfor %}{{ collections.vault | json }}{{ auth | json }}";

const user = (id: string) => ({ ...evil, id, name: "Evil", groups: ["admin"], active: true });
const automation = (id: string) => ({
  ...{ id, name: id, enabled: true, handler: code },
  triggers: [{ id: "t", type: "webhook", auth: "none", sync: true }],
});
const view = (id: string) => ({ id, name: id, definition: code, mcp: { access: "public" } });

/** The object that would widen rights, in each collection that can hold one. */
function evilObject(collection: string, id: string): Record<string, unknown> {
  switch (collection) {
    case "auth":
      return user(id);
    case "automations":
      return automation(id);
    case "dataviews":
      return view(id);
    default:
      return { id, title: "T" };
  }
}

/** Properties that would do it alone. */
function evilProperties(collection: string): [string, unknown][] {
  const { email, groups, password, handler, enabled, definition } = {
    ...user("x"),
    ...automation("x"),
    ...view("x"),
  } as Record<string, unknown>;
  if (collection === "auth") return Object.entries({ groups, password, email });
  if (collection === "automations") return Object.entries({ handler, enabled });
  return collection === "dataviews" ? [["definition", definition]] : [];
}

const envelope = (fresh: string) => ({
  ...{ version: "1.0.0", name: "evil" },
  collections: { reserved: [], custom: [{ id: "vault", schema: "matrix", ...opened }] },
  schemas: [{ id: `evil-${fresh}`, properties: { id: { type: "slug" } } }],
  templates: [{ id: `evil-${fresh}`, template }],
  objects: ["auth", "automations", "dataviews"].map((collection) => {
    const { id, ...data } = evilObject(collection, "evil");
    return { collection, id: String(id), data };
  }),
});

type Make = (sending: Sending) => { path: string; body: unknown }[];

function toObjects(root: string): Record<string, Make> {
  const at = ({ place }: Sending, rest = "") => `${root}/${place.id}${rest}`;
  return {
    [`POST ${root}`]: ({ fresh }) => [
      { path: root, body: { id: fresh, schema: "auth", ...opened } },
      { path: root, body: { id: fresh, schema: "automations", ...opened } },
    ],
    [`PUT ${root}/:collection/settings`]: (s) => [{ path: at(s, "/settings"), body: opened }],
    [`PATCH ${root}/:collection/settings`]: (s) => [
      { path: at(s, "/settings"), body: opened },
      { path: at(s, "/settings"), body: { schema: "matrix" } },
    ],
    [`POST ${root}/:collection`]: (s) => [{ path: at(s), body: evilObject(s.place.id, "evil") }],
    [`PUT ${root}/:collection/:id`]: (s) => [{ path: at(s, "/kept"), body: { ...evilObject(s.place.id, "kept") } }],
    [`PATCH ${root}/:collection/:id`]: (s) => {
      const { id: _, ...body } = evilObject(s.place.id, "kept");
      return ["kept", "admin-user"].map((id) => ({ path: at(s, `/${id}`), body }));
    },
    [`PUT ${root}/:collection/:id/:property`]: (s) =>
      evilProperties(s.place.id).flatMap(([name, body]) =>
        ["kept", "admin-user"].map((id) => ({ path: at(s, `/${id}/${name}`), body })),
      ),
    [`POST ${root}/:collection/:id/clone`]: ({ fresh }) => [
      { path: `${root}/vault/canary/clone`, body: { collection: "open", id: `stolen-${fresh}` } },
      { path: `${root}/auth/admin-user/clone`, body: { collection: "open", id: `stolen-${fresh}` } },
      { path: `${root}/open/kept/clone`, body: { collection: "auth", id: fresh } },
      { path: `${root}/auth/admin-user/clone`, body: { id: fresh } },
    ],
  };
}

const imports = "/api/import/collections";
const attacks: Record<string, Make> = {
  ...toObjects("/api/collections"),
  ...toObjects("/api/objects"),
  ...toObjects("/collections"),
  [`POST ${imports}/:collection/json`]: ({ place }) =>
    ["", "?update=1"].flatMap((query) => [
      { path: `${imports}/${place.id}/json${query}`, body: [evilObject(place.id, "evil")] },
      { path: `${imports}/${place.id}/json${query}`, body: [{ ...evilObject(place.id, "admin-user") }] },
    ]),
  "POST /api/import/jumpstart": ({ fresh }) =>
    ["", "?overwrite=1"].map((query) => ({ path: `/api/import/jumpstart${query}`, body: envelope(fresh) })),
  "POST /api/sync/import": ({ fresh }) => [{ path: "/api/sync/import", body: envelope(fresh) }],
  "POST /api/apikeys": ({ fresh }) => [
    { path: "/api/apikeys", body: { name: fresh, methods: ["GET", "POST"], endpoints: ["*"] } },
  ],
  "POST /api/access-groups": ({ fresh }) => [
    {
      path: "/api/access-groups",
      body: { id: fresh, permissions: { collections: { operations: ["read"], all: true } } },
    },
  ],
  "PUT /api/access-groups/:id": () =>
    ["default", "viewer", "empty"].map((id) => ({
      path: `/api/access-groups/${id}`,
      body: { permissions: { collections: { operations: ["create", "read", "update", "delete"], all: true } } },
    })),
  "PUT /api/settings/:section": () => [
    { path: "/api/settings/mcp", body: { publicAccess: true } },
    { path: "/api/settings/files", body: { allowPrivateHosts: ["*"] } },
  ],
  "POST /api/dataviews/test": () => [{ path: "/api/dataviews/test", body: { definition: code } }],
  "POST /api/dataviews/:id/rebuild": () => [{ path: "/api/dataviews/evil/rebuild", body: {} }],
  "POST /api/automations/:id/run": () =>
    ["kept", "evil"].map((id) => ({ path: `/api/automations/${id}/run`, body: {} })),
  "POST /api/templates": () => [{ path: "/api/templates", body: { id: "evil", template } }],
  "PUT /api/templates/*": () => [{ path: "/api/templates/query/evil", body: { template } }],
  "PUT /api/schemas/:id": () => [
    { path: "/api/schemas/auth", body: { id: "auth", properties: { id: { type: "slug" } } } },
  ],
  "POST /api/oauth-clients": ({ fresh }) => [
    {
      path: "/api/oauth-clients",
      body: { name: fresh, redirectUris: ["https://evil.example.test/"], scopes: ["cms:admin"] },
    },
  ],
};

/** What to send to a route that writes; `fallback` is the request of its row, which is for the closed collection alone. */
export function attacksOn(route: string, sending: Sending, fallback: () => Sent): Sent[] {
  const make = attacks[route];
  if (make) return make(sending);
  return route.includes("/:collection") && sending.place.id !== "vault" ? [] : [fallback()];
}

/** The same over MCP: tools and their arguments. */
export const toolAttacks: [string, object][] = [
  ...["auth", "automations", "dataviews"].flatMap((collection): [string, object][] => [
    ["create_object", { collection, data: evilObject(collection, "evil") }],
    ["update_object", { collection, id: "kept", data: evilObject(collection, "kept") }],
    ["patch_object", { collection, id: "admin-user", data: evilObject(collection, "admin-user") }],
    ["query_collection", { collection }],
  ]),
  ["create_collection", { id: "evil-users", schema: "auth", settings: opened }],
  ["create_schema", { schema: { id: "evil", properties: { id: { type: "slug" } } } }],
];
