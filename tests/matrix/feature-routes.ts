// The routes of features beside content: the mailer, data views, outbound webhooks.

import { at, can, type Row, type Sending, site } from "./row.ts";
import type { Need } from "./rules.ts";

/** There is no such mail, view or batch: that is told to those who may use them. */
export function featureRows(): Row[] {
  const on = (operation: Need["operation"], name: string): Need[] => [{ what: "objects", operation, on: name }];
  const [reads, sends] = [on("read", "mailer"), on("update", "mailer")];
  const mailer = "/api/mailer";
  const views = "/api/dataviews";
  const absent = { status: 404 };
  return [
    site(`POST ${mailer}/:id/preview`, reads, () => `${mailer}/none/preview`, absent),
    site(`POST ${mailer}/:id/bulk/preview`, reads, () => `${mailer}/none/bulk/preview`, absent),
    site(`POST ${mailer}/:id/send`, sends, () => `${mailer}/none/send`, absent),
    site(`POST ${mailer}/:id/bulk`, sends, () => `${mailer}/none/bulk`, absent),
    site(
      `POST ${mailer}/:id/test`,
      sends,
      () => ({ path: `${mailer}/none/test`, body: { to: "a@example.test" } }),
      absent,
    ),
    site(`GET ${mailer}/log`, reads, () => `${mailer}/log`),
    site(`POST ${mailer}/log/:mail/retry`, sends, () => `${mailer}/log/none/retry`, absent),
    site(`GET ${mailer}/batches`, reads, () => `${mailer}/batches`),
    // No mail server is set.
    site(
      "POST /api/mail-test",
      "the admin persona",
      () => ({ path: "/api/mail-test", body: { to: "a@example.test" } }),
      { status: 503 },
    ),
    site("POST /api/mail-preview", sends, () => ({ path: "/api/mail-preview", body: { mail: { subject: "S" } } })),
    site(`GET ${mailer}/batches/:batch`, reads, () => `${mailer}/batches/none`, absent),
    site(`DELETE ${mailer}/batches/:batch`, sends, () => `${mailer}/batches/none`, absent),
    site(`GET ${views}`, on("read", "dataviews"), () => views),
    site(`GET ${views}/:id`, on("read", "dataviews"), () => `${views}/none`, absent),
    site(`GET ${views}/:id/data`, on("read", "dataviews"), () => `${views}/none/data`, absent),
    site(`GET ${views}/:id/query`, on("read", "dataviews"), () => `${views}/none/query`, absent),
    site(`POST ${views}/:id/rebuild`, on("update", "dataviews"), () => `${views}/none/rebuild`, absent),
    site("POST /api/handler-check", on("create", "dataviews"), () => ({
      path: "/api/handler-check",
      body: { source: "export default () => 1" },
    })),
    // Without a definition nothing is run.
    site(`POST ${views}/test`, on("create", "dataviews"), () => ({ path: `${views}/test`, body: {} }), { status: 400 }),
  ];
}

/** What the admin starts with, and what its forms are drawn from. */
export function adminStartRows(): Row[] {
  return [
    site("GET /api/admin", "a session", () => "/api/admin"),
    site("GET /api/search", "a known caller", () => "/api/search?q=x"),
    site("GET /api/recent", "a known caller", () => "/api/recent"),
    at("GET /api/forms/:collection", [can("read")], ({ place }) => `/api/forms/${place.id}`),
  ];
}

/** Makers and administrators see them; a preview that is not theirs does not exist. */
export function previewRows(): Row[] {
  const previews = "/api/previews";
  return [
    site(`GET ${previews}`, "a known caller", () => previews),
    site(
      `POST ${previews}`,
      [{ what: "templates", operation: "read" }],
      () => ({ path: previews, body: { path: "/about" } }),
      { status: 201 },
    ),
    site(`DELETE ${previews}/:id`, "a known caller", () => `${previews}/none`, { status: 404 }),
    site(`PUT ${previews}/:id/values`, "a known caller", () => ({ path: `${previews}/none/values`, body: {} }), {
      status: 404,
    }),
  ];
}

export function siteRows(): Row[] {
  const reads: Need[] = [
    { what: "templates", operation: "read" },
    { what: "objects", operation: "read", on: "builder-pages" },
  ];
  const orders: Need[] = [...reads, { what: "objects", operation: "update", on: "builder-pages" }];
  return [
    site("GET /api/site/routes", reads, () => "/api/site/routes"),
    site("GET /api/site/resolve", reads, () => "/api/site/resolve?path=/about"),
    site("GET /api/site/check", reads, () => "/api/site/check"),
    site("GET /api/site/errors", reads, () => "/api/site/errors"),
    site("PUT /api/site/order", orders, () => ({ path: "/api/site/order", body: { tree: [] } })),
  ];
}

export function webhookRows(): Row[] {
  const admin = "the admin persona";
  const hooks = "/api/webhooks";
  const absent = { status: 404 };
  return [
    site(`GET ${hooks}`, admin, () => hooks),
    // Switched off: one that is on would send every later write of the matrix.
    site(`POST ${hooks}`, admin, () => ({ path: hooks, body: { url: "https://example.test/", active: false } }), {
      status: 201,
    }),
    site(`GET ${hooks}/:id`, admin, () => `${hooks}/none`, absent),
    site(`PATCH ${hooks}/:id`, admin, () => ({ path: `${hooks}/none`, body: {} }), absent),
    site(`DELETE ${hooks}/:id`, admin, () => `${hooks}/none`, absent),
    site(`POST ${hooks}/:id/rotate`, admin, () => `${hooks}/none/rotate`, absent),
    site(`POST ${hooks}/:id/test`, admin, () => `${hooks}/none/test`, absent),
    site(`GET ${hooks}/:id/deliveries`, admin, () => `${hooks}/none/deliveries`, absent),
    site(`GET ${hooks}/:id/deliveries/:delivery`, admin, () => `${hooks}/none/deliveries/x`, absent),
    site(`POST ${hooks}/:id/deliveries/:delivery/replay`, admin, () => `${hooks}/none/deliveries/x/replay`, absent),
  ];
}

/** Depots, and what protects files: with the right to update the object. */
export function fileProtectionRows(): Row[] {
  const update = [can("update")];
  const credential = { takes: "credential", status: 404 } as const;
  const chosen = ({ place, object, fresh }: Sending) => ({
    collection: place.id,
    id: object,
    path: `${place.files}/${fresh}`,
  });
  return [
    at(
      "POST /api/depots/:collection/:id/:property",
      update,
      (s) => ({
        path: `/api/depots/${s.place.id}/${s.object}/${s.place.files}`,
        body: { operation: "delete", paths: [s.fresh] },
      }),
      { target: "work", status: 404 },
    ),
    at(
      "POST /api/file-links",
      update,
      (s) => ({ path: "/api/file-links", body: { ...chosen(s), password: "x" } }),
      credential,
    ),
    at("GET /api/file-protection", update, (s) => `/api/file-protection?${new URLSearchParams(chosen(s))}`, credential),
    at(
      "PUT /api/file-protection",
      update,
      (s) => ({ path: "/api/file-protection", body: { ...chosen(s), password: "x-12345" } }),
      credential,
    ),
  ];
}

/** With the rights of the single operation. */
export function bulkRows(): Row[] {
  return [
    at(
      "POST /api/bulk/:collection",
      [can("update")],
      (s) => ({
        path: `/api/bulk/${s.place.id}`,
        body: { operation: "patch", ids: [s.object], expect: 1, body: { [s.place.text]: s.fresh } },
      }),
      { target: "work", takes: "credential" },
    ),
    // An empty plan: nobody is called so. Each object takes rights of its own.
    site("POST /api/undo", "a known caller", () => ({ path: "/api/undo", body: { by: { grant: "none" } } }), {
      takes: "own rights",
    }),
    at(
      "GET /api/options/:source",
      [can("read")],
      ({ place }) => `/api/options/values?collection=${place.id}&property=${place.text}`,
      { takes: "credential" },
    ),
    at(
      "GET /api/snapshots",
      [can("read"), can("update")],
      ({ place, object }) => `/api/snapshots?kind=object&collection=${place.id}&id=${object}`,
      { takes: "own rights" },
    ),
    // There is none of this time: callers that may restore it get 404.
    at(
      "POST /api/snapshots/restore",
      [can("read"), can("update")],
      ({ place, object }) => ({
        path: "/api/snapshots/restore",
        body: { file: `objects/${place.id}/${object}/${object}-20300101-000000.json` },
      }),
      { takes: "own rights", status: 404 },
    ),
    site("GET /api/changes", "a known caller", () => "/api/changes?limit=1", { takes: "own rights" }),
    site("GET /api/writers", "a known caller", () => "/api/writers?limit=1", { takes: "own rights" }),
    // None of these keeps a history: callers that may read get 400.
    at("GET /api/changes/stream", [can("read")], ({ place }) => `/api/changes/stream?collections=${place.id}`, {
      takes: "credential",
      status: 400,
    }),
    // A key gets 403 here, so that the answers of other collections cannot be learned with one.
    site(
      "PUT /api/presence/:collection/:id",
      [{ ...can("read"), on: "closed" }],
      ({ object }) => ({ path: `/api/presence/closed/${object}`, body: { editing: false } }),
      { takes: "session" },
    ),
    site(
      "DELETE /api/presence/:collection/:id",
      [{ ...can("read"), on: "closed" }],
      ({ object }) => `/api/presence/closed/${object}`,
      { takes: "session", status: 204 },
    ),
  ];
}

/** The log and the trash. No place keeps a history, so that no change is found. */
export function historyRows(): Row[] {
  const needs = [can("read"), can("update")];
  const one = ({ place, object }: Sending, rest = "") => `/api/history/${place.id}/${object}${rest}`;
  const own = { takes: "own rights" } as const;
  const absent = { ...own, status: 404 };
  return [
    at("GET /api/history/:collection/:id", needs, (s) => one(s), own),
    at("GET /api/history/:collection/:id/properties", needs, (s) => one(s, "/properties"), own),
    at("GET /api/history/:collection/:id/:change", needs, (s) => one(s, "/1"), absent),
    at("POST /api/history/:collection/:id/:change/restore", needs, (s) => one(s, "/1/restore"), absent),
    site("GET /api/trash", "a known caller", () => "/api/trash", own),
    site("DELETE /api/trash", "a known caller", () => "/api/trash", { ...own, status: 400 }),
    site("POST /api/trash/:change/restore", "a known caller", () => "/api/trash/1/restore", absent),
    site("DELETE /api/trash/:change", "a known caller", () => "/api/trash/1", absent),
  ];
}

/** What the website adds beside pages: redirects and forms. */
export function redirectRows(): Row[] {
  const on = (operation: Need["operation"]): Need[] => [{ what: "templates", operation }];
  const redirects = "/api/site/redirects";
  const absent = { status: 404 };
  const body = (source: string) => ({ source: `/${source}`, target: "/new" });
  return [
    site(`GET ${redirects}`, on("read"), () => redirects),
    site(`POST ${redirects}`, on("create"), ({ fresh }) => ({ path: redirects, body: body(fresh) }), { status: 201 }),
    site(`PUT ${redirects}/:id`, on("update"), () => ({ path: `${redirects}/none`, body: body("a") }), absent),
    site(`DELETE ${redirects}/:id`, on("delete"), () => `${redirects}/none`, absent),
    site("GET /api/site-forms", "a known caller", () => "/api/site-forms"),
    at(
      "GET /api/site-forms/:collection/:name/rejected",
      [can("read")],
      ({ place }) => `/api/site-forms/${place.id}/none/rejected`,
      {
        takes: "own rights",
        status: 404,
      },
    ),
    at(
      "POST /api/site-forms/:collection/:name/rejected/:id/accept",
      [can("update")],
      ({ place }) => `/api/site-forms/${place.id}/none/rejected/x/accept`,
      { takes: "own rights", status: 404 },
    ),
    site("POST /forms/:collection/:name", "anyone", () => ({ path: "/forms/none/none", body: {} }), {
      status: 404,
      isSafe: true,
    }),
    site("GET /-/forms.js", "anyone", () => "/-/forms.js"),
    site(`POST ${redirects}/import`, on("create"), ({ fresh }) => ({
      path: `${redirects}/import`,
      body: { text: `/${fresh} /new` },
    })),
  ];
}
