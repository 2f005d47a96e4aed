// What the site has beside objects: pages, templates, views, mailers, webhooks, keys, clients, settings, the audit log.

import { until } from "#base/patience.fixture.ts";
import type { Server } from "../harness.ts";
import type { Secrets } from "./secrets.ts";
import { done } from "./site.ts";

/** Ids for the parameters of the doors. */
export interface Records {
  webhook: string;
  delivery: string;
  mail: string;
  batch: string;
  redirect: string;
  preview: string;
  run: string;
  job: string;
  client: string;
  snapshot: string;
  grant: string;
  backup: string;
}

export const links = Array.from({ length: 9 }, (_, n) => `http://${n}.example.test`).join(" ");

/** What takes a session: a grant of an application, and a whole backup. */
export async function completeRecords(server: Server, records: Records, root: Record<string, string>): Promise<void> {
  const [{ id }] = await done(server, "GET", "/api/oauth-grants");
  records.grant = id;
  const asRoot = (method: string) => server.request(method, "/api/backups", { key: null, headers: root });
  const started = await asRoot("POST");
  if (started.status >= 300) throw new Error(`backup: ${started.status} ${started.text}`);
  const [{ name }] = await until(
    async () => (await asRoot("GET")).body.data,
    (found) => Array.isArray(found) && found.length > 0 && found[0].name !== undefined,
  );
  records.backup = name;
}

const list = (collection: string) =>
  `{% query l from "${collection}", sort: "id", limit: 40, with: "friend, kin.friend" %}` +
  "{% for o in l %}{{ o.id }} {{ o.title }} {{ o.body }} {{ o.pin }} {{ o | json }};{% endfor %}";

export async function makeRecords(server: Server, secrets: Secrets): Promise<Records> {
  const put = (path: string, body: unknown) => done(server, "PUT", path, body);
  const post = (path: string, body: unknown) => done(server, "POST", path, body);
  const inCollection = (id: string, body: unknown) => post(`/api/collections/${id}`, body);
  const note = `{% comment %}${secrets.mark("comment of a template", "builder")}{% endcomment %}`;
  const one = "{{ object.id }} {{ object | json }} {{ object.friend | json }}";
  await put("/api/templates/pages/all", { template: `${note}${list("notes")}${list("vault")}{{ user | json }}` });
  await put("/api/templates/pages/one", { template: `${note}${one}` });
  await put("/api/templates/query/rows", { template: "{% for o in objects %}{{ o | json }}{% endfor %}" });
  const page = (id: string, more: object) => inCollection("builder-pages", { id, title: id, ...more });
  await page("all", { route: "/all", template: "all" });
  await page("note", { route: "/notes/{id}", template: "one", collection: "notes" });
  await page("vault", { route: "/vault/{id}", template: "one", collection: "vault" });
  await page("hidden", {
    ...{ route: "/hidden", template: "one", draft: true },
    title: secrets.mark("title of a page in the making", "builder"),
  });
  const redirect = await post("/api/site/redirects", {
    source: `/${secrets.mark("address of a redirect", "builder")}`,
    target: "/all",
  });

  const address = secrets.mark("address of a user", "users");
  const user = { id: "hermit", name: secrets.mark("name of a user", "users"), active: true, groups: ["viewer"] };
  const password = secrets.mark("password of a user", "nobody");
  await inCollection("auth", { ...user, email: `${address}@example.test`, password });

  const handler = (word: string, result: string) => `// ${word}\nexport default async (ctx) => ${result}`;
  await inCollection("automations", {
    ...{
      id: "job",
      name: "Job",
      triggers: [{ id: "hook", type: "webhook", auth: "apiKey", sync: true }],
      active: true,
    },
    handler: handler(
      secrets.mark("code of an automation", "code"),
      JSON.stringify(secrets.mark("result of a run", "runs")),
    ),
  });
  const rows = `[{ id: "r", title: ${JSON.stringify(secrets.mark("result of a view", "views"))} }]`;
  const definition = handler(secrets.mark("code of a view", "views"), rows);
  await inCollection("dataviews", { id: "view", name: "View", definition });
  await done(server, "GET", "/api/dataviews/view/data");
  await inCollection("mcp-prompt", { name: "prompt", access: "admin", body: secrets.mark("prompt", "closed") });
  const to = `${secrets.mark("address of a mail", "mail")}@example.test`;
  await inCollection("mailer", {
    id: "letter",
    name: "Letter",
    to,
    subject: "S",
    bodyText: secrets.mark("text of a mailer", "mail"),
  });
  const mail = await post("/api/mailer/letter/send", { data: {} });
  const batch = await post("/api/mailer/letter/bulk", { collection: "notes", ids: ["live"] });

  const webhook = await post("/api/webhooks", {
    ...{ name: secrets.mark("name of a webhook", "admin"), url: "http://127.0.0.1:1/", events: ["object.*"] },
    headers: [{ name: "x-token", value: secrets.mark("header of a webhook", "nobody") }],
    collections: ["board"],
  });
  await done(server, "PATCH", "/api/collections/board/a", { title: secrets.mark("title on the board", "everyone") });
  const [delivery] = await until<{ id: string }[]>(
    () => done(server, "GET", `/api/webhooks/${webhook.id}/deliveries`),
    (found) => found.length > 0,
  );
  await done(server, "PATCH", `/api/webhooks/${webhook.id}`, { active: false });

  await server.makeKey({ name: secrets.mark("name of a key", "admin") });
  const client = await post("/api/oauth-clients", {
    ...{ name: secrets.mark("name of a client", "admin"), redirectUris: ["https://app.example.test/callback"] },
    scopes: ["cms:read"],
    confidential: false,
  });
  await server.setSetting("smtp.user", secrets.mark("user of the mail server", "admin"));
  await server.setSetting("smtp.password", secrets.mark("password of the mail server", "nobody"));
  await server.setSetting("sync.key", secrets.mark("key of the remote", "nobody"));
  const preview = await post("/api/previews", { collection: "notes", id: "live" });
  await post("/api/automations/job/run", {});
  const sending = await server.request("POST", "/forms/vault/contact", {
    ...{ key: null, headers: { accept: "application/json" } },
    body: { title: secrets.mark("sending of a form", "closed"), body: links },
  });
  if (sending.status !== 201) throw new Error(`form: ${sending.status} ${sending.text}`);
  await inCollection("mailer", {
    id: "old",
    name: "Old",
    to,
    subject: "S",
    bodyText: secrets.mark("text before a sync", "mail"),
  });
  const replaced = {
    collection: "mailer",
    id: "old",
    data: { id: "old", name: "Old", to: "a@example.test", subject: "S" },
  };
  await post("/api/sync/import", { version: "1", objects: [replaced] });
  const [{ file }] = await done(server, "GET", "/api/snapshots?kind=object&collection=mailer&id=old");
  const [run] = await until<{ runId: string }[]>(
    () => done(server, "GET", "/api/automations/job/runs"),
    (found) => found.length > 0,
  );
  const [{ id: job }] = await done(server, "GET", "/api/jobs");
  return {
    ...{ webhook: webhook.id, delivery: delivery?.id ?? "", mail: mail.id, batch: batch.batch, redirect: redirect.id },
    ...{ preview: preview.id, run: run?.runId ?? "", job, client: client.id, snapshot: file, grant: "", backup: "" },
  };
}
