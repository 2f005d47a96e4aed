// Every route of the server: what it asks for, and a request that passes when the caller may.
// A route that has no row here fails the build: add one, and say what it asks for.

import { adminAppRows, nobody } from "./admin-routes.ts";
import { schema } from "./collections.ts";
import { schemaRows, templateRows } from "./definition-routes.ts";
import {
  adminStartRows,
  bulkRows,
  featureRows,
  fileProtectionRows,
  historyRows,
  previewRows,
  redirectRows,
  siteRows,
  webhookRows,
} from "./feature-routes.ts";
import { oauthRecordRows } from "./oauth-routes.ts";
import { at, can, form, type Row, type Sending, type Sent, site } from "./row.ts";
import type { Need } from "./rules.ts";
import { remoteRows } from "./transfer-routes.ts";

export const contentRoots = ["/api/collections", "/api/objects", "/collections"] as const;

const read = [can("read")];
const update = [can("update")];

function contentRows(root: string): Row[] {
  const to = ({ place }: Sending, rest = "") => `${root}/${place.id}${rest}`;
  const one = (sending: Sending, rest = "") => to(sending, `/${sending.object}${rest}`);
  const deck = (sending: Sending, rest = "") => one(sending, `/${sending.place.deck}/deck${rest}`);
  const number = (sending: Sending, rest: string) => one(sending, `/${sending.place.number}/${rest}`);
  const changes = { target: "work" } as const;
  const consumes = { target: "fresh" } as const;
  return [
    site(`GET ${root}`, "anyone", () => root),
    site(
      `POST ${root}`,
      [can("create", "collections")],
      ({ fresh }) => ({ path: root, body: { id: fresh, schema: schema.id } }),
      { status: 201 },
    ),
    // Without `confirm` it ends in 400, and the collection stays for the others.
    at(`DELETE ${root}/:collection`, [can("delete", "collections")], (s) => to(s), { status: 400 }),
    at(`GET ${root}/:collection/settings`, [can("read", "collections")], (s) => to(s, "/settings")),
    at(`PUT ${root}/:collection/settings`, [can("update", "collections")], (s) => ({
      path: to(s, "/settings"),
      body: { publicOperations: s.place.publicOperations, category: s.fresh },
    })),
    at(`PATCH ${root}/:collection/settings`, [can("update", "collections")], (s) => ({
      path: to(s, "/settings"),
      body: { category: s.fresh },
    })),
    at(`GET ${root}/:collection/schema`, read, (s) => to(s, "/schema")),
    at(`GET ${root}/:collection/query`, read, (s) => to(s, "/query?format=csv")),
    at(`GET ${root}/:collection/index`, read, (s) => to(s, "/index")),
    at(`PUT ${root}/:collection/index`, [can("update", "collections"), can("read")], (s) => to(s, "/index")),

    at(`GET ${root}/:collection`, read, (s) => to(s, "?limit=2")),
    at(`GET ${root}/:collection/:id`, read, (s) => one(s)),
    at(`POST ${root}/:collection`, [can("create")], (s) => ({ path: to(s), body: s.place.object(s.fresh) }), {
      status: 201,
    }),
    at(`PUT ${root}/:collection/:id`, update, (s) => ({ path: one(s), body: s.place.object(s.object) }), changes),
    at(`PATCH ${root}/:collection/:id`, update, (s) => ({ path: one(s), body: { [s.place.text]: s.fresh } }), changes),
    at(`DELETE ${root}/:collection/:id`, [can("delete")], (s) => one(s), { ...consumes, status: 204 }),
    at(`GET ${root}/:collection/:id/references`, read, (s) => one(s, "/references")),
    at(`POST ${root}/:collection/:id/clone`, [can("read"), can("create")], (s) => ({
      path: one(s, "/clone"),
      body: { id: s.fresh },
    })),

    at(
      `PUT ${root}/:collection/:id/:property`,
      update,
      (s) => ({ path: one(s, `/${s.place.text}`), body: s.fresh }),
      changes,
    ),
    at(
      `PATCH ${root}/:collection/:id/:property`,
      update,
      (s) => ({ path: one(s, `/${s.place.map}`), body: { a: s.fresh } }),
      changes,
    ),
    at(`DELETE ${root}/:collection/:id/:property`, update, (s) => one(s, `/${s.place.text}`), consumes),
    ...["increment", "increment/:amount", "decrement", "decrement/:amount"].map((word) =>
      at(
        `POST ${root}/:collection/:id/:property/${word}`,
        update,
        (s) => number(s, word.replace(":amount", "2")),
        changes,
      ),
    ),
    // There is no such item: that is told to those who may change the object.
    ...["PUT", "PATCH"].map((method) =>
      at(
        `${method} ${root}/:collection/:id/:property/:name`,
        update,
        (s) => ({ path: one(s, `/${s.place.text}/no.jpg`), body: { alt: s.fresh } }),
        { ...changes, status: 404 },
      ),
    ),

    at(`POST ${root}/:collection/:id/:property/deck`, update, (s) => ({ path: deck(s), body: s.place.item(s.fresh) }), {
      ...consumes,
      status: 201,
    }),
    at(`GET ${root}/:collection/:id/:property`, read, (s) => one(s, `/${s.place.text}`)),
    at(`GET ${root}/:collection/:id/:property/downloads`, read, (s) => one(s, `/${s.place.text}/downloads`)),
    at(`GET ${root}/:collection/:id/:property/deck/:itemId`, read, (s) => deck(s, "/a")),
    at(
      `PUT ${root}/:collection/:id/:property/deck/:itemId`,
      update,
      (s) => ({ path: deck(s, "/a"), body: s.place.item("a") }),
      changes,
    ),
    at(`DELETE ${root}/:collection/:id/:property/deck/:itemId`, update, (s) => deck(s, "/a"), consumes),
  ];
}

function fileForm(name: string): Pick<Sent, "raw" | "headers"> {
  const head = `Content-Disposition: form-data; name="file"; filename="${name}.txt"`;
  return form(`--part\r\n${head}\r\n\r\nx\r\n--part--\r\n`, "multipart/form-data; boundary=part");
}

function fileRows(root: string): Row[] {
  const one = ({ place, object }: Sending, rest = "") => `${root}/${place.id}/${object}/${place.files}${rest}`;
  const path = `${root}/:collection/:id/:property`;
  const changes = { target: "work" } as const;
  const missing = { ...changes, status: 404 };
  return [
    at(`POST ${path}`, update, (s) => ({ path: one(s), ...fileForm(s.fresh) }), changes),
    at(`POST ${path}/*`, update, (s) => ({ path: one(s, "/sub"), ...fileForm(s.fresh) }), changes),
    at(`DELETE ${path}/*`, update, (s) => one(s, `/${s.fresh}.txt.none`), missing),
    at(`DELETE ${path}/cache`, update, (s) => one(s, "/cache"), changes),
    at(`POST ${path}/folder`, update, (s) => ({ path: one(s, "/folder"), body: { path: s.fresh } }), changes),
    at(
      `PUT ${path}/folder/rename`,
      update,
      (s) => ({ path: one(s, "/folder/rename?path=none"), body: { name: s.fresh } }),
      missing,
    ),
    at(
      `PUT ${path}/:name/move`,
      update,
      (s) => ({ path: one(s, "/none/move"), body: { destination: s.fresh } }),
      missing,
    ),
    ...["PUT", "PATCH"].map((method) =>
      at(`${method} ${path}/:name/:child`, update, (s) => ({ path: one(s, "/none/alt"), body: {} }), missing),
    ),
  ];
}

function editorRows(): Row[] {
  const one = ({ place, object }: Sending, rest = "") => `/api/upload/${place.id}/${object}/${place.text}${rest}`;
  const path = "/api/upload/:collection/:id/:property";
  const changes = { target: "work" } as const;
  const missing = { ...changes, status: 404 };
  return [
    at(`POST ${path}`, update, (s) => ({ path: one(s), ...fileForm(s.fresh) }), changes),
    at(`POST ${path}/*`, update, (s) => ({ path: one(s, "/sub"), ...fileForm(s.fresh) }), changes),
    at(`GET ${path}`, update, (s) => one(s)),
    at(`GET ${path}/*`, update, (s) => one(s, "/none"), missing),
    at(`DELETE ${path}/*`, update, (s) => one(s, "/none"), missing),
  ];
}

/** There is no such file: that is told to those who may read the object. */
function servedRows(): Row[] {
  const absent = { status: 404, isSafe: true };
  const doors = ["GET /download", "POST /download", "GET /stream"];
  return [
    ...doors.flatMap((door) => {
      const root = door.split(" ")[1];
      return [
        at(`${door}/:collection/:id/:property`, read, (s) => `${root}/${s.place.id}/${s.object}/none`, absent),
        at(
          `${door}/:collection/:id/:property/*`,
          read,
          (s) => `${root}/${s.place.id}/${s.object}/none/x/y.txt`,
          absent,
        ),
      ];
    }),
    ...["/download", "/stream"].map((root) =>
      at(
        `GET ${root}/upload/:collection/:id/:property/*`,
        read,
        (s) => `${root}/upload/${s.place.id}/${s.object}/${s.place.text}/x.txt`,
        absent,
      ),
    ),
    at("GET /imageworks/*", read, (s) => `/imageworks/${s.place.id}/${s.object}/none.jpg?w=10`, absent),
  ];
}

function cacheRows(): Row[] {
  const admin = "the admin persona";
  const cache = "/api/cache";
  return [
    site(`GET ${cache}`, admin, () => cache),
    site(`DELETE ${cache}`, admin, () => cache),
    site(`POST ${cache}/clear`, admin, () => `${cache}/clear`),
    site(`DELETE ${cache}/images/all`, admin, () => `${cache}/images/all`),
    site(`DELETE ${cache}/:name`, admin, () => `${cache}/pages`),
    site(`DELETE ${cache}/images`, admin, () => ({ path: `${cache}/images`, body: { collection: "closed" } })),
    site(`DELETE ${cache}/collections/:collection/images`, admin, () => `${cache}/collections/closed/images`),
  ];
}

function transferRows(): Row[] {
  const report = "/api/report/collections";
  const exported = "/api/export/collections";
  const imported = "/api/import/collections";
  const item = (s: Sending, format: string) =>
    `${imported}/${s.place.id}/deck/${format}?object=${s.object}&property=${s.place.deck}`;
  const items = { target: "fresh" } as const;
  return [
    at("GET /feed/rss/:collection", read, (s) => `/feed/rss/${s.place.id}`),
    at("GET /feed/atom/:collection", read, (s) => `/feed/atom/${s.place.id}`),
    at("GET /feed/json/:collection", read, (s) => `/feed/json/${s.place.id}`),
    site("GET /sitemap", "anyone", () => "/sitemap"),
    site("GET /sitemap.xml", "anyone", () => "/sitemap.xml"),
    // No collection of the matrix has switched its own on.
    site("GET /sitemap/:collection", "anyone", () => "/sitemap/closed", { status: 404 }),
    at(`GET ${report}/:collection/fields`, read, (s) => `${report}/${s.place.id}/fields`),
    at(`GET ${report}/:collection/csv`, read, (s) => `${report}/${s.place.id}/csv?fields=id`),
    at(`GET ${report}/:collection/json`, read, (s) => `${report}/${s.place.id}/json?fields=id`),
    ...["", "/json", "/csv"].flatMap((format) => [
      at(`GET ${exported}/:collection${format}`, read, (s) => `${exported}/${s.place.id}${format}`),
      at(
        `GET ${exported}/:collection/:id/:property/deck${format}`,
        read,
        (s) => `${exported}/${s.place.id}/${s.object}/${s.place.deck}/deck${format}`,
      ),
    ]),
    at(`POST ${imported}/:collection/json`, [can("create")], (s) => ({
      path: `${imported}/${s.place.id}/json`,
      body: [s.place.object(s.fresh)],
    })),
    at(`POST ${imported}/:collection/csv`, [can("create")], (s) => ({
      path: `${imported}/${s.place.id}/csv`,
      ...form(`id,${s.place.text}\n${s.fresh},x\n`, "text/csv"),
    })),
    at(
      `POST ${imported}/:collection/deck/json`,
      update,
      (s) => ({ path: item(s, "json"), body: [s.place.item(s.fresh)] }),
      items,
    ),
    at(
      `POST ${imported}/:collection/deck/csv`,
      update,
      (s) => ({ path: item(s, "csv"), ...form(`id,type,text\n${s.fresh},webhook,x\n`, "text/csv") }),
      items,
    ),
  ];
}

function jumpstartRows(): Row[] {
  const on = (operation: Need["operation"]): Need[] => [{ what: "jumpstart", operation }];
  const definition = { version: "1.0.0", name: "Matrix" };
  return [
    site("POST /api/import/jumpstart", on("create"), () => ({ path: "/api/import/jumpstart", body: definition })),
    site("GET /api/export/jumpstart", on("read"), () => "/api/export/jumpstart?objects=false"),
    site("GET /api/export/jumpstart/demo", on("read"), () => "/api/export/jumpstart/demo"),
    at("POST /api/import/collections/:collection/factory", [can("create")], (s) => ({
      path: `/api/import/collections/${s.place.id}/factory?fqty=0`,
      body: {},
    })),
  ];
}

function adminRows(): Row[] {
  const admin = "the admin persona";
  const groups = "/api/access-groups";
  const keys = "/api/apikeys";
  const key = { methods: ["GET"], endpoints: ["/mcp"] };
  return [
    site("GET /api/settings", admin, () => "/api/settings"),
    site("GET /api/settings/:section", admin, () => "/api/settings/general"),
    site("PUT /api/settings/:section", admin, () => ({ path: "/api/settings/general", body: {} })),
    site(`GET ${groups}`, admin, () => groups),
    site(`POST ${groups}`, admin, ({ fresh }) => ({ path: groups, body: { id: fresh } }), { status: 201 }),
    site(`GET ${groups}/:id`, admin, () => `${groups}/viewer`),
    site(`PUT ${groups}/:id`, admin, ({ fresh }) => ({ path: `${groups}/empty`, body: { description: fresh } })),
    site(`DELETE ${groups}/:id`, admin, () => `${groups}/default`, { status: 400 }),
    site(`GET ${keys}`, admin, () => keys),
    site(`POST ${keys}`, admin, ({ fresh }) => ({ path: keys, body: { ...key, name: fresh } }), { status: 201 }),
    site(`DELETE ${keys}/:id`, admin, ({ fresh }) => `${keys}/${fresh}`, { status: 404 }),
    site("GET /api/users/:id/sessions", admin, ({ fresh }) => `/api/users/${fresh}/sessions`, { status: 404 }),
    site("DELETE /api/users/:id/sessions", admin, ({ fresh }) => `/api/users/${fresh}/sessions`, { status: 404 }),
    site("DELETE /api/users/:id/sessions/:session", admin, ({ fresh }) => `/api/users/${fresh}/sessions/none`, {
      status: 404,
    }),
    site("GET /api/sync/export", admin, () => "/api/sync/export?schemas=none"),
    site("POST /api/sync/import", admin, () => ({ path: "/api/sync/import", body: {} })),
    site("POST /api/automations/:id/run", admin, ({ fresh }) => `/api/automations/${fresh}/run`, { status: 404 }),
    site("GET /api/automations/:id/runs", admin, ({ fresh }) => `/api/automations/${fresh}/runs`, { status: 404 }),
    site("GET /api/automations", admin, () => "/api/automations"),
    site("GET /api/automations/:id/runs/:run", admin, ({ fresh }) => `/api/automations/${fresh}/runs/x`, {
      status: 404,
    }),
    site("GET /api/jobs", admin, () => "/api/jobs"),
    site("GET /api/jobs/:id", admin, ({ fresh }) => `/api/jobs/${fresh}`, { status: 404 }),
    site("POST /api/jobs/:id/retry", admin, ({ fresh }) => `/api/jobs/${fresh}/retry`, { status: 404 }),
    site("POST /api/jobs/:id/cancel", admin, ({ fresh }) => `/api/jobs/${fresh}/cancel`, { status: 404 }),
    site("DELETE /api/jobs", admin, () => "/api/jobs?kind=none"),
    site("GET /metrics", admin, () => "/metrics"),
  ];
}

function sessionRows(): Row[] {
  const auth = "/api/auth";
  const spends = { spendsSession: true };
  return [
    site(`POST ${auth}/login`, "anyone, also after a session", () => ({ path: `${auth}/login`, body: {} }), {
      status: 400,
    }),
    site(`POST ${auth}/logout`, "a session, or none", () => `${auth}/logout`, { ...spends, status: 204 }),
    site(`GET ${auth}/session`, "a session", () => `${auth}/session`),
    site(`GET ${auth}/preferences`, "a session", () => `${auth}/preferences`),
    site(`PUT ${auth}/preferences`, "a session", () => ({ path: `${auth}/preferences`, body: { theme: "dark" } })),
    site(`GET ${auth}/sessions`, "a session", () => `${auth}/sessions`),
    site(`DELETE ${auth}/sessions/:id`, "a session", () => `${auth}/sessions/none`, { status: 404 }),
    site(`GET ${auth}/connections`, "a session", () => `${auth}/connections`),
    site(`DELETE ${auth}/connections/:id`, "the own session", () => `${auth}/connections/none`, { status: 404 }),
    site(`POST ${auth}/impersonate/:userId`, "the session of an admin", () => `${auth}/impersonate/nobody`, {
      status: 404,
    }),
    // Nobody is being impersonated; the one persona that is, is asked for in the test itself.
    site(`POST ${auth}/impersonate/stop`, "a session", () => `${auth}/impersonate/stop`, { ...spends, status: 400 }),
  ];
}

function accountRows(): Row[] {
  const auth = "/api/auth";
  const keys = "/api/passkeys";
  const open = "anyone, also after a session";
  const own = "the own session";
  const page = (path: string) => ({ path, ...form("token=x", "application/x-www-form-urlencoded") });
  return [
    // Without its fields it ends in 400, and no mail is sent.
    ...["forgot-password", "reset-password", "verify-email", "resend-verification", "register"].map((word) =>
      site(`POST ${auth}/${word}`, open, () => ({ path: `${auth}/${word}`, body: {} }), { status: 400 }),
    ),
    ...["GET", "POST"].flatMap((method) => [
      site(`${method} ${keys}/login/options`, open, () => `${keys}/login/options`),
      // Without the current password it ends in 400.
      site(`${method} ${keys}/register/options`, own, () => `${keys}/register/options`, { status: 400 }),
    ]),
    site(`POST ${keys}/login`, open, () => `${keys}/login`, { status: 400 }),
    site(`POST ${keys}/register`, own, () => ({ path: `${keys}/register`, body: [] }), { status: 400 }),
    site(`GET ${keys}`, own, () => keys),
    site(`POST ${keys}/confirm/options`, own, () => `${keys}/confirm/options`),
    site(`POST ${keys}/confirm`, own, () => ({ path: `${keys}/confirm`, body: [] }), { status: 400 }),
    site(`DELETE ${keys}/:id`, own, () => `${keys}/none`, { status: 400 }),
    site("GET /forgot-password", "nothing", () => "/forgot-password"),
    site("POST /forgot-password", "nothing", () => page("/forgot-password"), { status: 400 }),
    ...["/reset-password", "/verify-email"].flatMap((path) => [
      site(`GET ${path}`, "nothing", () => `${path}?token=x`, { status: 400 }),
      site(`POST ${path}`, "nothing", () => page(path), { status: 400 }),
    ]),
  ];
}

/** For applications and for browsers on their way: no key or token is looked at, and a cookie only on the consent page. */
function oauthRows(): Row[] {
  const documents = [
    "oauth-authorization-server",
    "oauth-protected-resource",
    "oauth-protected-resource/mcp",
    "jwks.json",
  ];
  const page = (path: string) => ({ path, ...form("token=x", "application/x-www-form-urlencoded") });
  return [
    ...documents.map((name) => site(`GET /.well-known/${name}`, "nothing", () => `/.well-known/${name}`)),
    site("GET /login", "nothing", () => "/login"),
    site("GET /login/passkey.js", "nothing", () => "/login/passkey.js"),
    site("GET /-/preview.js", "nothing", () => "/-/preview.js"),
    site("POST /login", "nothing", () => page("/login"), { status: 403 }),
    // Who is signed in is shown more: tests/oauth/connections.test.ts. Everybody else is led to the login page.
    site("GET /account/connections", "nothing", () => nobody("/account/connections"), { status: 303 }),
    site("POST /account/connections", "nothing", () => nobody("/account/connections"), { status: 303 }),
    site("GET /oauth/authorize", "nothing", () => "/oauth/authorize", { status: 400 }),
    site("POST /oauth/authorize", "nothing", () => page("/oauth/authorize"), { status: 403 }),
    site("POST /oauth/token", "nothing", () => page("/oauth/token"), { status: 401 }),
    site("POST /oauth/register", "nothing", () => ({ path: "/oauth/register", body: {} }), { status: 400 }),
    site("POST /oauth/revoke", "nothing", () => page("/oauth/revoke"), { status: 401 }),
  ];
}

/** Without a session of the protocol whoever gets in is told that one is needed. */
function mcpRows(): Row[] {
  const wayIn = "the way in of MCP";
  return [
    site("GET /mcp", wayIn, () => "/mcp", { status: 400 }),
    site("POST /mcp", wayIn, () => ({ path: "/mcp", body: {} }), { status: 400 }),
    site("DELETE /mcp", wayIn, () => "/mcp", { status: 400 }),
    site("OPTIONS /mcp", "nothing", () => "/mcp", { status: 204 }),
    site("GET /mcp/*", "nothing", () => "/mcp/x", { status: 404 }),
    site("POST /mcp/*", "nothing", () => ({ path: "/mcp/x", body: {} }), { status: 404 }),
    site("DELETE /mcp/*", "nothing", () => "/mcp/x", { status: 404 }),
    site("GET /.well-known/mcp.json", "nothing", () => "/.well-known/mcp.json"),
  ];
}

/** There is no such extension, which the admin persona alone learns; its routes and files are missing for everybody. */
function extensionRows(): Row[] {
  const admin = "the admin persona";
  const root = "/api/extensions";
  const none = { status: 404 };
  const one = (method: string, below: string, body?: unknown) =>
    site(`${method} ${root}/:vendor/:name${below}`, admin, () => ({ path: `${root}/none/such${below}`, body }), none);
  const zip = form("no zip", "application/zip");
  return [
    site(`GET ${root}`, admin, () => root),
    site(`POST ${root}`, "the admin persona, confirmed", () => ({ path: root, ...zip }), { status: 400 }),
    one("GET", ""),
    one("PATCH", "", { switches: {} }),
    site(`DELETE ${root}/:vendor/:name`, "the admin persona, confirmed", () => `${root}/none/such`, none),
    one("POST", "/enable", {}),
    one("POST", "/disable"),
    one("POST", "/reload"),
    one("GET", "/settings"),
    one("PUT", "/settings", {}),
    one("GET", "/log"),
    site(
      `POST ${root}/:vendor/:name/reports`,
      "a known caller",
      () => ({ path: `${root}/none/such/reports`, body: { message: "x" } }),
      none,
    ),
    ...["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) =>
      site(`${method} /api/ext/:vendor/:name/*`, "anyone", () => "/api/ext/none/such/route", none),
    ),
    site("GET /schemas/extension.json", "nothing", () => "/schemas/extension.json"),
    site("GET /api/ext/:vendor/:name/assets/:hash/*", "nothing", () => "/api/ext/none/such/assets/0/a.js", none),
  ];
}

function openRows(): Row[] {
  return [
    site("GET /api/openapi.json", "anyone", () => "/api/openapi.json"),
    site("GET /api/docs", "anyone", () => "/api/docs"),
    // The automation decides who may call it; there is none, whoever asks.
    site("POST /automations/:id", "nothing", ({ fresh }) => `/automations/${fresh}`, { status: 404 }),
    site("GET /healthz", "nothing", () => "/healthz"),
    site("GET /readyz", "nothing", () => "/readyz"),
  ];
}

export const rows: readonly Row[] = [
  ...adminAppRows(),
  ...contentRoots.flatMap(contentRows),
  ...contentRoots.flatMap(fileRows),
  ...bulkRows(),
  ...historyRows(),
  ...remoteRows(),
  ...fileProtectionRows(),
  ...editorRows(),
  ...servedRows(),
  ...cacheRows(),
  ...transferRows(),
  ...schemaRows(),
  ...templateRows(),
  ...jumpstartRows(),
  ...adminRows(),
  ...featureRows(),
  ...webhookRows(),
  ...previewRows(),
  ...siteRows(),
  ...redirectRows(),
  ...adminStartRows(),
  ...oauthRecordRows(),
  ...sessionRows(),
  ...accountRows(),
  ...oauthRows(),
  ...mcpRows(),
  ...extensionRows(),
  ...openRows(),
];

/** Routes as the server registers them: whatever can be read by GET can be asked for by HEAD. */
export function registered(): string[] {
  const names = rows.flatMap(({ method, url }) =>
    method === "GET" ? [`GET ${url}`, `HEAD ${url}`] : [`${method} ${url}`],
  );
  return names.sort();
}
