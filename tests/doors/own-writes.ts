// Requests of the operations that write, where the authorization matrix sends one that is refused for want of a real thing.
// An operation that nothing can be sent to says why.

import { formOf } from "../support/sample-files.ts";
import { password } from "../support/sign-in.ts";
import type { Door } from "./door.ts";
import {
  type Collection,
  fresh,
  kept,
  make,
  makeDeleted,
  makeFile,
  makeObject,
  makeSchema,
  makeTemplate,
  makeVersions,
} from "./makes.ts";
import { links } from "./records.ts";
import { done, type Site } from "./site.ts";

type Sent = Pick<Door, "path" | "body" | "raw" | "headers">;
type Write = (site: Site, at: Collection) => Sent | Promise<Sent>;

const text = (raw: string) => ({ raw, headers: { "content-type": "application/x-www-form-urlencoded" } });
const objects = "/api/collections";
const keptAt = (site: Site, at: Collection) => `${objects}/${at}/${kept(site, at)}`;
const webhook = { name: "made", url: "http://127.0.0.1:1/", events: ["object.*"], collections: ["bin"], active: false };
const client = () => ({ name: fresh(), redirectUris: ["https://app.example.test/callback"], scopes: ["cms:read"] });
const redirect = () => ({ source: `/${fresh()}`, target: "/new" });

/** A route of the service that takes a thing by its id. */
const below =
  (root: string, body: () => unknown, rest = "", sent?: unknown): Write =>
  async (site) => ({
    path: `${root}/${await make(site, root, body())}${rest}`,
    ...(sent === undefined ? {} : { body: sent }),
  });

/** On objects and their files, for each collection. */
const ofContent: Record<string, Write> = {
  "POST /download/{collection}/{id}/{property}": (site, at) => ({
    path: `/download/${at}/${kept(site, at)}/paper`,
    ...text("pwd=wrong"),
  }),
  "POST /download/{collection}/{id}/{property}/{path}": (site, at) => ({
    path: `/download/${at}/${kept(site, at)}/box/a.txt`,
    ...text("pwd=wrong"),
  }),
  "DELETE /api/collections/{collection}": async ({ server }) => {
    const id = fresh();
    await server.makeCollection({ id, schema: "door" });
    return { path: `${objects}/${id}?confirm=${id}` };
  },
  "PUT /api/collections/{collection}/settings": () => ({
    path: `${objects}/bin/settings`,
    body: { category: "x" },
  }),
  "PUT /api/collections/{collection}/{id}": async (site, at) => ({
    path: `${objects}/${at}/${await makeObject(site, at)}`,
    body: { title: "Other", draft: true },
  }),
  "PUT /api/collections/{collection}/{id}/{property}/{name}": (site, at) => ({
    path: `${keptAt(site, at)}/album/g.png`,
    body: { alt: "A" },
  }),
  "PATCH /api/collections/{collection}/{id}/{property}/{name}": (site, at) => ({
    path: `${keptAt(site, at)}/album/g.png`,
    body: { alt: "B" },
  }),
  "DELETE /api/collections/{collection}/{id}/{property}/{name}": async (site, at) => ({
    path: `${keptAt(site, at)}/box/${await makeFile(site, at)}`,
  }),
  "PUT /api/collections/{collection}/{id}/{property}/{name}/{child}": (site, at) => ({
    path: `${keptAt(site, at)}/parts/a/scan`,
    body: { alt: "A" },
  }),
  "PATCH /api/collections/{collection}/{id}/{property}/{name}/{child}": (site, at) => ({
    path: `${keptAt(site, at)}/parts/a/scan`,
    body: { alt: "B" },
  }),
  "PUT /api/collections/{collection}/{id}/{property}/folder/rename": async (site, at) => {
    const name = fresh();
    await done(site.server, "POST", `${keptAt(site, at)}/box/folder`, { path: name });
    return { path: `${keptAt(site, at)}/box/folder/rename?path=${name}`, body: { name: fresh() } };
  },
  "PUT /api/collections/{collection}/{id}/{property}/{name}/move": async (site, at) => ({
    path: `${keptAt(site, at)}/box/${await makeFile(site, at)}/move`,
    body: { destination: "moved" },
  }),
  "POST /api/history/{collection}/{id}/{change}/restore": async (site, at) => {
    const { id, change } = await makeVersions(site, at);
    return { path: `/api/history/${at}/${id}/${change}/restore` };
  },
  "POST /api/trash/{change}/restore": async (site, at) => ({
    path: `/api/trash/${await makeDeleted(site, at)}/restore`,
  }),
  "DELETE /api/trash/{change}": async (site, at) => ({ path: `/api/trash/${await makeDeleted(site, at)}` }),
  "POST /api/undo": () => ({ path: "/api/undo", body: { by: { user: "writer" } } }),
  "POST /api/file-links": (site, at) => ({
    path: "/api/file-links",
    body: { collection: at, id: kept(site, at), path: "paper", password: "wrong" },
  }),
  "PUT /api/file-protection": async (site, at) => ({
    path: "/api/file-protection",
    body: { collection: at, id: kept(site, at), path: `box/${await makeFile(site, at)}`, password: "x-12345" },
  }),
  "POST /api/depots/{collection}/{id}/{property}": async (site, at) => ({
    path: `/api/depots/${at}/${kept(site, at)}/box`,
    body: { operation: "delete", paths: [await makeFile(site, at)] },
  }),
  "DELETE /api/upload/{collection}/{id}/{property}/{path}": async (site, at) => {
    const path = `/api/upload/${at}/${kept(site, at)}/body`;
    const name = `${fresh()}.txt`;
    const answer = await site.server.request("POST", path, formOf({ field: "file", name, bytes: "x" }));
    if (answer.status !== 200) throw new Error(answer.text);
    return { path: `${path}/${name}` };
  },
};

/** On everything else, once. */
const ofSite: Record<string, Write> = {
  "POST /automations/{id}": () => ({ path: "/automations/job", body: {} }),
  "POST /oauth/register": () => ({
    path: "/oauth/register",
    body: { client_name: "App", redirect_uris: ["https://app.example.test/callback"] },
  }),
  "POST /oauth/revoke": ({ records }) => ({
    path: "/oauth/revoke",
    ...text(`client_id=${records.client}&token=none`),
  }),
  "POST /api/auth/login": () => ({
    path: "/api/auth/login",
    headers: { cookie: "" },
    body: { login: "outsider", password },
  }),
  "POST /api/auth/confirm": () => ({ path: "/api/auth/confirm", body: { password } }),
  "POST /api/auth/forgot-password": () => ({ path: "/api/auth/forgot-password", body: { email: "no@example.test" } }),
  "POST /api/auth/resend-verification": () => ({
    path: "/api/auth/resend-verification",
    body: { email: "no@example.test" },
  }),
  "POST /api/passkeys/register/options": () => ({
    path: "/api/passkeys/register/options",
    body: { currentPassword: password },
  }),
  "DELETE /api/trash": () => ({ path: "/api/trash?collection=bin&confirm=bin" }),
  "DELETE /api/schemas/{id}": async (site) => ({ path: `/api/schemas/${await makeSchema(site)}` }),
  "POST /api/schemas/{id}/rename": async (site) => ({
    path: `/api/schemas/${await makeSchema(site)}/rename`,
    body: { from: "title", to: "heading" },
  }),
  "PUT /api/schemas/{id}": async (site) => ({
    path: `/api/schemas/${await makeSchema(site)}`,
    body: { properties: { other: { type: "string" } }, required: [], index: [] },
  }),
  "POST /api/schema-plan": () => ({
    path: "/api/schema-plan",
    body: { id: "door", properties: { title: { type: "number" } }, required: ["count"], index: [] },
  }),
  "POST /api/schema-lint": () => ({
    path: "/api/schema-lint",
    body: { id: "door", properties: { title: { type: "number" } }, required: [], index: [] },
  }),
  "DELETE /api/templates/{path}": async (site) => ({ path: `/api/templates/${await makeTemplate(site)}` }),
  "POST /api/template-history/{path}": async (site) => {
    const id = await makeTemplate(site);
    const [{ version }] = await done(site.server, "GET", `/api/template-history/${id}`);
    return { path: `/api/template-history/${id}`, body: { version } };
  },
  "POST /api/template-preview": () => ({
    path: "/api/template-preview",
    body: { template: '{% query l from "vault" %}{% for o in l %}{{ o | json }}{% endfor %}{{ page | json }}' },
  }),
  "POST /api/auth/logout": () => ({ path: "/api/auth/logout", headers: { cookie: "" } }),
  "POST /api/collections": () => ({ path: objects, body: { id: fresh(), schema: "door" } }),
  "PUT /api/presence/{collection}/{id}": (site) => ({
    path: `/api/presence/notes/${site.ids.draft}`,
    body: { editing: false },
  }),
  "DELETE /api/presence/{collection}/{id}": (site) => ({ path: `/api/presence/notes/${site.ids.draft}` }),
  "DELETE /api/cache/images": () => ({ path: "/api/cache/images", body: { collection: "notes" } }),
  "DELETE /api/cache/collections/{collection}/images": () => ({ path: "/api/cache/collections/vault/images" }),
  "DELETE /api/previews/{id}": below("/api/previews", () => ({ collection: "notes", id: "live" })),
  "PUT /api/previews/{id}/values": below("/api/previews", () => ({ collection: "notes", id: "live" }), "/values", {
    values: { title: "Other" },
  }),
  "POST /forms/{collection}/{name}": () => ({ path: "/forms/vault/contact", body: { title: fresh() } }),
  "POST /api/site-forms/{collection}/{name}/rejected/{id}/accept": async ({ server }) => {
    const answer = await server.request("POST", "/forms/vault/contact", {
      ...{ key: null, body: { title: "x", body: links } },
    });
    if (answer.status !== 201) throw new Error(`form: ${answer.status} ${answer.text}`);
    const [{ id }] = await done(server, "GET", "/api/site-forms/vault/contact/rejected");
    return { path: `/api/site-forms/vault/contact/rejected/${id}/accept` };
  },
  "PUT /api/site/redirects/{id}": async (site) => ({
    path: `/api/site/redirects/${await make(site, "/api/site/redirects", redirect())}`,
    body: redirect(),
  }),
  "DELETE /api/site/redirects/{id}": below("/api/site/redirects", redirect),
  "DELETE /api/access-groups/{id}": async ({ server }) => {
    const id = fresh();
    await done(server, "PUT", `/api/access-groups/${id}`, {});
    return { path: `/api/access-groups/${id}` };
  },
  "DELETE /api/apikeys/{id}": below("/api/apikeys", () => ({ name: "made", methods: ["GET"], endpoints: ["/mcp"] })),
  "DELETE /api/users/{id}/sessions": () => ({ path: "/api/users/hermit/sessions" }),
  "DELETE /api/oauth-clients/{id}": below("/api/oauth-clients", client),
  "POST /api/automations/{id}/run": () => ({ path: "/api/automations/job/run", body: {} }),
  "POST /api/mailer/{id}/preview": () => ({ path: "/api/mailer/letter/preview", body: { data: {} } }),
  "POST /api/mailer/{id}/send": () => ({ path: "/api/mailer/letter/send", body: { data: {} } }),
  "POST /api/mailer/{id}/test": () => ({ path: "/api/mailer/letter/test", body: { to: "a@example.test" } }),
  "POST /api/mailer/{id}/bulk/preview": () => ({
    path: "/api/mailer/letter/bulk/preview",
    body: { collection: "vault" },
  }),
  "POST /api/mailer/{id}/bulk": () => ({
    path: "/api/mailer/letter/bulk",
    body: { collection: "notes", ids: ["live"] },
  }),
  "DELETE /api/mailer/batches/{batch}": async (site) => {
    const id = await make(site, "/api/mailer/letter/bulk", { collection: "notes", ids: ["live"] });
    return { path: `/api/mailer/batches/${id}` };
  },
  "PATCH /api/webhooks/{id}": ({ records }) => ({ path: `/api/webhooks/${records.webhook}`, body: { active: false } }),
  "DELETE /api/webhooks/{id}": below("/api/webhooks", () => webhook),
  "POST /api/webhooks/{id}/rotate": below("/api/webhooks", () => webhook, "/rotate"),
  "POST /api/webhooks/{id}/test": below("/api/webhooks", () => webhook, "/test"),
  "POST /api/webhooks/{id}/deliveries/{delivery}/replay": ({ records: { webhook: id, delivery } }) => ({
    path: `/api/webhooks/${id}/deliveries/${delivery}/replay`,
  }),
  "POST /api/dataviews/test": ({ secrets }) => ({
    path: "/api/dataviews/test",
    body: { definition: `export default async (ctx) => ctx.objects.all("vault") // ${secrets.named("closed title")}` },
  }),
  "POST /api/dataviews/{id}/rebuild": () => ({ path: "/api/dataviews/view/rebuild" }),
  "POST /api/snapshots/restore": ({ records }) => ({
    path: "/api/snapshots/restore",
    body: { file: records.snapshot },
  }),
  "POST /api/backups": () => ({ path: "/api/backups" }),
};

const extension = "no extension is installed: tests/extensions";
const remote = "no remote is set: tests/sync";
const mailed = "takes a token that is mailed: tests/http/access";
const noMail = "no mail server answers: tests/automations/mailer.test.ts";
const device = "takes the answer of an authenticator: tests/http/access/passkeys.test.ts";
const ownRecord = "about the caller's own record; the answer has no body";

/** Operations without a request that is let through, and why. They are sent all the same, and searched like all others. */
export const unreachable: Record<string, string> = {
  "GET /api/ext/{vendor}/{name}/assets/{hash}/{path}": extension,
  "GET /api/extensions/{vendor}/{name}": extension,
  "GET /api/extensions/{vendor}/{name}/settings": extension,
  "GET /api/extensions/{vendor}/{name}/log": extension,
  "POST /api/extensions": extension,
  "PATCH /api/extensions/{vendor}/{name}": extension,
  "DELETE /api/extensions/{vendor}/{name}": extension,
  "POST /api/extensions/{vendor}/{name}/enable": extension,
  "POST /api/extensions/{vendor}/{name}/disable": extension,
  "POST /api/extensions/{vendor}/{name}/reload": extension,
  "PUT /api/extensions/{vendor}/{name}/settings": extension,
  "POST /api/extensions/{vendor}/{name}/reports": extension,
  "POST /api/sync/compare": remote,
  "POST /api/sync/push": remote,
  "POST /api/sync/pull": remote,
  "POST /api/sync/difference": remote,
  "POST /api/auth/reset-password": mailed,
  "POST /api/auth/verify-email": mailed,
  "POST /api/auth/register": "registration is closed: tests/http/access/registration.test.ts",
  "GET /api/passkeys/register/options": "takes the password in a body, which POST has",
  "POST /api/passkeys/login": device,
  "POST /api/passkeys/register": device,
  "POST /api/passkeys/confirm": device,
  "DELETE /api/passkeys/{id}": device,
  "DELETE /api/auth/sessions/{id}": ownRecord,
  "DELETE /api/auth/connections/{id}": ownRecord,
  "DELETE /api/users/{id}/sessions/{session}": "the answer has no body",
  "DELETE /api/oauth-grants/{id}": "the answer has no body",
  "DELETE /api/backups/{name}": "the answer has no body",
  "POST /api/auth/impersonate/{userId}": "begins another session: tests/http/access/impersonation.test.ts",
  "POST /api/auth/impersonate/stop": "nobody is impersonated: tests/http/access/impersonation.test.ts",
  "POST /oauth/token": "the tokens of the persons come from it",
  "POST /api/mail-test": noMail,
  "POST /api/mailer/{id}/test": noMail,
  "PUT /api/previews/{id}/values": "for the maker of the preview alone: tests/http/site/previews.test.ts",
  "POST /api/jobs/{id}/retry": "no job has failed: tests/automations/jobs.test.ts",
  "POST /api/jobs/{id}/cancel": "no job waits: tests/automations/jobs.test.ts",
  "POST /api/mailer/log/{mail}/retry": "no mail has failed: tests/automations/mailer.test.ts",
};

/** The requests of an operation, each to be made anew before it is sent. */
export function ownWrites(site: Site, operation: string): (() => Sent | Promise<Sent>)[] | undefined {
  const content = ofContent[operation];
  if (content) return (["notes", "vault"] as const).map((at) => () => content(site, at));
  const once = ofSite[operation];
  return once && [() => once(site, "notes")];
}
