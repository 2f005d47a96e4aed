// Forms of the website: what visitors send, what is judged to be spam, and what follows.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { until } from "#base/patience.fixture.ts";
import type { RejectedSending } from "#contract/forms.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";
import { openReceiver, type Receiver } from "../../support/webhook-receiver.ts";

let server: Server;
let receiver: Receiver;
let settings: (forms: unknown) => Promise<Answer>;

const text = { type: "string", field: "text" };
const properties = {
  name: text,
  email: { type: "email", field: "email" },
  message: { type: "string", field: "textarea" },
  age: { type: "integer", field: "number" },
  agree: { type: "boolean", field: "checkbox" },
  topics: { type: "list", field: "multiselect", options: ["a", "b", "c"] },
  day: { type: "date", field: "date" },
  secret: { type: "password", field: "password" },
  hidden: text,
  cv: { type: "file", field: "file" },
  photos: { type: "gallery", field: "gallery" },
};
const contact = { fields: ["name", "email", "message", "age", "agree", "topics", "day"] };

before(async () => {
  receiver = await openReceiver();
  server = await startServer({
    settings: { forms: { rateLimit: 0 }, webhooks: { allowPrivateHosts: true } },
  });
  await server.makeSchema({ id: "order", properties, required: ["id", "name"], index: ["id", "name"] });
  await server.makeCollection({ id: "orders", schema: "order", forms: { contact } });
  settings = (forms) => server.request("PATCH", "/api/collections/orders/settings", { body: { forms } });
});
after(async () => {
  await server.stop();
  await receiver.close();
});

type Fields = Record<string, string | string[]>;
function encode(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) query.append(name, one);
  return query.toString();
}
function send(
  fields: Fields,
  { form = "contact", headers = {} }: { form?: string; headers?: Record<string, string> } = {},
) {
  return server.request("POST", `/forms/orders/${form}`, {
    key: null,
    raw: encode(fields),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}
const json = { accept: "application/json" };
async function objects(name: string): Promise<Record<string, unknown>[]> {
  const { body } = await server.request("GET", `/api/collections/orders?filter[name]=${encodeURIComponent(name)}`);
  return body.data;
}
async function rejected(form = "contact"): Promise<RejectedSending[]> {
  const { status, body } = await server.request("GET", `/api/site-forms/orders/${form}/rejected`);
  assert.equal(status, 200);
  return body.data;
}
const detailsOf = ({ body }: Answer) => Object.keys(body.error.details);

test("FORM-1 forms are settings of a collection, checked by its schema", async () => {
  for (const [form, path] of [
    [{ fields: ["nowhere"] }, "fields"],
    [{ fields: ["secret"] }, "fields"],
    [{ fields: ["id"] }, "fields"],
    [{ fields: ["cv"] }, "fields"],
    [{ fields: [] }, "fields"],
    [{ fields: "name" }, "fields"],
    [{ fields: ["name"], files: { name: {} } }, "files.name"],
    [{ fields: ["name"], files: { cv: { max: 0 } } }, "files.cv.max"],
    [{ fields: ["name"], files: { cv: {} }, guard: { challenge: "wait" } }, "files"],
    [{ fields: ["name"], access: "all" }, "access"],
    [{ fields: ["name"], guard: { links: -1 } }, "guard.links"],
    [{ fields: ["name"], guard: { challenge: "x" } }, "guard.challenge"],
    [{ fields: ["name"], redirect: "//evil.example" }, "redirect"],
    [{ fields: ["name"], notify: ["no address"] }, "notify"],
    [{ fields: ["name"], actions: [{ type: "mailer" }] }, "actions.0"],
    [{ fields: ["name"], actions: [{ type: "webhook", url: "ftp://x" }] }, "actions.0"],
    [{ fields: ["name"], more: 1 }, "more"],
  ] as const) {
    const answer = await settings({ contact, wrong: form });
    assert.equal(answer.status, 400, JSON.stringify(form));
    assert.deepEqual(detailsOf(answer), [`forms.wrong.${path}`]);
  }
  assert.equal((await settings({ "Not a name": contact })).status, 400);
  const users = { body: { forms: { join: { fields: ["name"] } } } };
  assert.equal((await server.request("PATCH", "/api/collections/auth/settings", users)).status, 400);
  // Files of a form are never public.
  const open = { publicOperations: ["read"], forms: { contact: { ...contact, files: { cv: {} } } } };
  assert.equal((await server.request("PATCH", "/api/collections/orders/settings", { body: open })).status, 400);
});

test("FORM-1 actions of a form need the rights to do the same", async () => {
  const group = {
    id: "modellers",
    permissions: {
      collectionsMeta: { operations: ["read", "update"], all: true, allowed: [] },
      collections: { operations: ["create", "read", "update"], all: true, allowed: [] },
    },
  };
  assert.ok((await server.request("POST", "/api/access-groups", { body: group })).status < 300);
  await makeUser(server, "mo", ["modellers"]);
  const mo = await signIn(server, "mo");
  const patch = (forms: unknown) => mo.request("PATCH", "/api/collections/orders/settings", { body: { forms } });
  assert.equal((await patch({ contact, more: { fields: ["name"] } })).status, 200);
  for (const actions of [
    [{ type: "mailer", mailerId: "welcome" }],
    [{ type: "webhook", url: "https://example.com/" }],
    [{ type: "automation", id: "x" }],
  ])
    assert.equal((await patch({ contact, more: { fields: ["name"], actions } })).status, 403);
  assert.equal((await patch({ contact, more: { fields: ["name"], notify: ["a@example.test"] } })).status, 403);
});

test("FORM-2 a sending becomes an object, made by the form", async () => {
  const sent = await send(
    {
      name: "Ada",
      email: "ada@example.test",
      message: "Hello\r\nthere",
      age: "36",
      agree: "on",
      topics: ["a", "c"],
      day: "2030-01-31",
      _page: "/contact?x=1",
    },
    { headers: { accept: "text/html" } },
  );
  assert.equal(sent.status, 303, sent.text);
  assert.equal(sent.headers.get("location"), "/contact?x=1&_sent=contact");
  const [made] = await objects("Ada");
  const { name, email, message, age, agree, topics } = made as Record<string, unknown>;
  assert.deepEqual(
    { name, email, message, age, agree, topics },
    { name: "Ada", email: "ada@example.test", message: "Hello\nthere", age: 36, agree: true, topics: ["a", "c"] },
  );
  const boundary = "xyz";
  const part = (field: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
  const multipart = await server.request("POST", "/forms/orders/contact", {
    key: null,
    raw: `${part("name", "Grace")}${part("topics", "b")}--${boundary}--\r\n`,
    headers: { ...json, "content-type": `multipart/form-data; boundary=${boundary}` },
  });
  assert.equal(multipart.status, 201, multipart.text);
  const asJson = await server.request("POST", "/forms/orders/contact", { key: null, body: { name: "Joan", age: 7 } });
  assert.equal(asJson.status, 201, asJson.text);
  assert.equal(typeof asJson.body.data.message, "string");
  assert.equal((await objects("Joan"))[0]?.age, 7);
  assert.equal((await objects("Grace")).length, 1);
});

test("FORM-2 fields that are not listed are refused, and nothing is stored", async () => {
  for (const more of [{ hidden: "x" }, { id: "own" }, { secret: "x" }, { nowhere: "x" }] as Fields[]) {
    const answer = await send({ name: "Eve", ...more }, { headers: json });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(detailsOf(answer), Object.keys(more));
  }
  const wrong = await send({ email: "no address", age: "many" }, { headers: json });
  assert.equal(wrong.status, 422);
  assert.deepEqual(detailsOf(wrong).sort(), ["age", "email", "name"]);
  const page = await send({ email: "no address" }, { headers: { accept: "text/html" } });
  assert.equal(page.status, 422);
  assert.match(page.headers.get("cache-control") ?? "", /no-store/);
  assert.deepEqual(await objects("Eve"), []);
  assert.equal((await send({ name: "x" }, { form: "none" })).status, 404);
  await settings({ contact, off: { enabled: false, fields: ["name"] } });
  assert.equal((await send({ name: "x" }, { form: "off" })).status, 404);
});

test("FORM-3 a form is sent from pages of this site, or by clients that are no browser", async () => {
  const from = (headers: Record<string, string>) =>
    send({ name: `Origin${JSON.stringify(headers)}` }, { headers: { ...json, ...headers } });
  assert.equal((await from({ "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await from({ "sec-fetch-site": "same-site" })).status, 403);
  assert.equal((await from({ origin: "https://evil.example" })).status, 403);
  assert.equal((await from({ origin: "null" })).status, 403);
  assert.equal((await from({ "sec-fetch-site": "same-origin", origin: "https://evil.example" })).status, 403);
  assert.equal((await from({ "sec-fetch-site": "same-origin" })).status, 201);
  assert.equal((await from({ origin: server.url })).status, 201);
});

test("FORM-4 a form for users needs the session and its token", async () => {
  await settings({ contact, members: { access: "user", fields: ["name"] } });
  const asked = { form: "members", headers: json };
  assert.equal((await send({ name: "Nobody" }, asked)).status, 401);
  const login = await send(
    { name: "Nobody", _page: "/members" },
    { form: "members", headers: { accept: "text/html" } },
  );
  assert.equal(login.headers.get("location"), "/login?redirect=%2Fmembers");
  await makeUser(server, "uma", ["viewer"]);
  const uma = await signIn(server, "uma");
  const cookie = { ...json, cookie: uma.cookie };
  assert.equal((await send({ name: "Uma" }, { form: "members", headers: cookie })).status, 403);
  assert.equal((await send({ name: "Uma", csrf_token: uma.token }, { form: "members", headers: cookie })).status, 201);
  // A public form takes the same visitor without a token.
  assert.equal((await send({ name: "Uma in public" }, { headers: cookie })).status, 201);
});

test("FORM-5 FORM-13 spam is answered like a success, listed for 14 days, and can be accepted", async () => {
  await settings({ contact: { ...contact, guard: { links: 1, words: ["Casino"] } } });
  const links = { name: "Spam links", message: "https://a.example http://b.example" };
  const words = { name: "Spam words", message: "best casinos in town" };
  for (const fields of [links, words]) assert.equal((await send(fields, { headers: json })).status, 201);
  assert.equal((await send({ name: "Twice" }, { headers: json })).status, 201);
  assert.equal((await send({ name: "Twice" }, { headers: json })).status, 201);
  assert.equal((await objects("Twice")).length, 1);
  const found = await rejected();
  assert.deepEqual(
    found.map(({ reason }) => reason),
    ["repeated", "words", "links"],
  );
  assert.equal((await objects("Spam links")).length, 0);
  const [, word] = found as [RejectedSending, RejectedSending];
  const accept = `/api/site-forms/orders/contact/rejected/${word.id}/accept`;
  const accepted = await server.request("POST", accept);
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal((await objects("Spam words"))[0]?.id, accepted.body.data.id);
  assert.equal((await server.request("POST", accept)).status, 404);
  assert.equal((await rejected()).length, 2);
  const { body } = await server.request("GET", "/api/site-forms");
  assert.deepEqual(
    body.data.map(({ name, rejected }: { name: string; rejected: number }) => [name, rejected]),
    [["contact", 2]],
  );
  const link = found[2] as RejectedSending;
  const twice = `/api/site-forms/orders/contact/rejected/${link.id}/accept`;
  const answers = await Promise.all([1, 2].map(() => server.request("POST", twice)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404]);
  assert.equal((await objects("Spam links")).length, 1);
  await settings({ contact });
});

test("FORM-5 a repeated sending that was refused before is no repetition", async () => {
  assert.equal((await send({ name: "Retry", age: "x" }, { headers: json })).status, 422);
  assert.equal((await send({ name: "Retry", age: "x" }, { headers: json })).status, 422);
  assert.equal((await send({ name: "Retry", age: "5" }, { headers: json })).status, 201);
  assert.equal((await objects("Retry")).length, 1);
});

test("FORM-6 the second page of a challenge carries what was typed, and works after three seconds", async () => {
  await settings({ contact, slow: { fields: ["name", "topics"], guard: { challenge: "wait" } } });
  const html = { form: "slow", headers: { accept: "text/html" } };
  const inputs = (page: string): Fields => {
    const fields: Record<string, string[]> = {};
    for (const [, name = "", value = ""] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
      fields[name] = [...(fields[name] ?? []), value.replaceAll("&quot;", '"')];
    return fields;
  };
  const begin = async (name: string) => {
    const first = await send({ name, topics: ["a", "b"], _page: "/c" }, html);
    assert.equal(first.status, 200);
    // Else browsers send it from the origin "null".
    assert.equal(first.headers.get("referrer-policy"), "same-origin");
    const fields = inputs(first.text);
    assert.deepEqual(fields.topics, ["a", "b"]);
    return { name, fields, early: await send(fields, html) };
  };
  // A busy machine may take the three seconds: then once more.
  const { name, fields, early } = await until(
    () => begin(`Wait "${randomUUID()}"`),
    (begun) => /too quick/.test(begun.early.text),
  );
  assert.equal(early.status, 200);
  assert.equal((await objects(name)).length, 0);
  const changed = await send({ ...fields, name: "Other" }, { form: "slow", headers: json });
  assert.equal(changed.status, 202);
  await until(async () => (await send(fields, { form: "slow", headers: json })).status === 201);
  assert.equal((await objects(name)).length, 1);
  await settings({ contact });
});

test("FORM-12 all texts of a sending are bounded together, in a form with files too", async () => {
  await settings({ contact });
  const sending = (size: number) => {
    const form = new FormData();
    form.set("name", "Long");
    for (let part = 0; part < 3; part += 1) form.append("message", `${part}${"x".repeat(size)}`);
    return fetch(`${server.url}/forms/orders/contact`, { method: "POST", body: form, headers: json });
  };
  const large = await sending(400_000);
  assert.equal(large.status, 413, await large.text());
  const small = await sending(1_000);
  assert.ok(small.status !== 413, await small.text());
});

test("FORM-7 files are judged by their bytes, and never public", async () => {
  await settings({
    contact,
    apply: { fields: ["name"], files: { cv: { types: ["application/pdf"], maxBytes: 5_000 } } },
  });
  const pdf = "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n";
  const apply = (
    name: string,
    file: { field?: string; name?: string; bytes: string },
    more: [string, string][] = [],
  ) => {
    const form = new FormData();
    form.set("name", name);
    for (const [field, value] of more) form.set(field, value);
    form.set(file.field ?? "cv", new Blob([file.bytes]), file.name ?? "cv.pdf");
    return fetch(`${server.url}/forms/orders/apply`, { method: "POST", body: form, headers: json });
  };
  assert.equal((await apply("Has file", { bytes: pdf })).status, 201);
  const [made] = await objects("Has file");
  const whole = await server.request("GET", `/api/collections/orders/${made?.id}`);
  assert.equal(whole.body.data.cv.name, "cv.pdf");
  const address = `/download/orders/${made?.id}/cv/cv.pdf`;
  const open = await server.request("GET", address, { key: null });
  assert.ok(open.status === 401 || open.status === 403 || open.status === 404, String(open.status));
  for (const file of [
    { bytes: "<html>not a pdf</html>" },
    { bytes: pdf + " ".repeat(6_000) },
    { field: "photos", name: "a.png", bytes: "x" },
    { field: "nowhere", bytes: pdf },
  ]) {
    const answer = await apply("Bad file", file);
    assert.equal(answer.status, 422, await answer.text());
  }
  assert.deepEqual(await objects("Bad file"), []);
});

test("FORM-8 actions follow in their order, as jobs that are retried", async () => {
  let isFailing = true;
  receiver.answer = (_received, response) => response.writeHead(isFailing ? 500 : 200).end();
  const actions = [
    { type: "webhook", url: `${receiver.url}/one` },
    { type: "webhook", url: `${receiver.url}/two` },
  ];
  await settings({ contact, acting: { fields: ["name"], actions } });
  assert.equal((await send({ name: "Acting" }, { form: "acting", headers: json })).status, 201);
  await receiver.until(1);
  isFailing = false;
  const received = await receiver.until(3);
  assert.deepEqual(
    received.map(({ path }) => path),
    ["/one", "/one", "/two"],
  );
  assert.equal(received[2]?.body.data.object.name, "Acting");
  const jobs = await server.request("GET", "/api/jobs?kind=form-action");
  assert.equal(jobs.status, 200, jobs.text);
  assert.ok(jobs.body.data.length >= 2);
});

test("FORM-10 the form of a template is accessible, and comes back with values and errors", async () => {
  const template = `<h1>Contact</h1>{% form "orders/contact", class: "c" %}{{ form | fields }}{{ form.values.name }}<button>Send</button>{% endform %}`;
  assert.equal(
    (await server.request("POST", "/api/templates", { body: { id: "pages/contact", template } })).status,
    201,
  );
  const page = { id: "contact", title: "Contact", route: "/contact", template: "contact" };
  assert.equal((await server.request("POST", "/api/collections/builder-pages", { body: page })).status, 201);
  const shown = await server.request("GET", "/contact", { key: null });
  assert.equal(shown.status, 200, shown.text);
  assert.match(shown.text, /<form method="post" action="\/forms\/orders\/contact"[^>]*class="c"/);
  assert.match(
    shown.text,
    /<label for="form-orders-contact-email">[^<]*<\/label><input type="email"[^>]*autocomplete="email"/,
  );
  for (const control of [/<textarea /, /type="number"/, /type="checkbox"/, /<select multiple/, /type="date"/])
    assert.match(shown.text, control);
  const headers = { accept: "text/html", referer: `${server.url}/contact?x=1` };
  const refused = await send({ name: "<b>Typed</b>", email: "no address", _page: "/contact" }, { headers });
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.headers.get("cache-control") ?? "", /private, no-store/);
  assert.match(refused.text, /<h1>Contact<\/h1>/);
  assert.match(refused.text, /role="alert" tabindex="-1" autofocus/);
  assert.match(refused.text, /value="&lt;b&gt;Typed&lt;\/b&gt;"/);
  assert.match(refused.text, /aria-invalid="true" aria-describedby="form-orders-contact-email-error"/);
  assert.doesNotMatch(refused.text, /<b>Typed/);
  const trap = /<input name="(f[0-9a-f]{10})" tabindex="-1"/.exec(shown.text)?.[1] ?? "";
  assert.equal((await send({ name: "Trapped", [trap]: "x" }, { headers: json })).status, 201);
  assert.equal((await send({ name: "Not trapped", [trap]: "", _page: "/contact" }, { headers })).status, 303);
  assert.deepEqual(await objects("Trapped"), []);
  assert.equal((await objects("Not trapped")).length, 1);
  assert.equal((await rejected())[0]?.reason, "trap");
  const sent = await server.request("GET", "/contact?_sent=contact", { key: null });
  assert.match(sent.text, /class="form-sent" role="status"/);
});

test("FORM-5 an address may send a form five times a minute", async () => {
  const put = (rateLimit: number) => server.request("PUT", "/api/settings/forms", { body: { rateLimit } });
  assert.equal((await put(5)).status, 200);
  await settings({ contact, limited: { fields: ["name"] } });
  const answers: number[] = [];
  for (let at = 0; at < 7; at += 1)
    answers.push((await send({ name: `Limit ${at}` }, { form: "limited", headers: json })).status);
  assert.deepEqual(answers, [201, 201, 201, 201, 201, 429, 429]);
  const page = await send({ name: "More" }, { form: "limited", headers: { accept: "text/html" } });
  assert.equal(page.status, 429);
  assert.ok(Number(page.headers.get("retry-after")) > 0);
  await put(0);
});

test("FORM-5 sendings at the same moment count as well, and so do repeated and refused ones", async () => {
  const put = (rateLimit: number) => server.request("PUT", "/api/settings/forms", { body: { rateLimit } });
  assert.equal((await put(5)).status, 200);
  const fields = ["name", "age"];
  await settings({ contact, crowd: { fields }, again: { fields }, wrong: { fields } });
  const ask = async (form: string, sent: Fields) => (await send(sent, { form, headers: json })).status;
  const crowd = await Promise.all(Array.from({ length: 20 }, (_, at) => ask("crowd", { name: `Crowd ${at}` })));
  const stored = (await server.request("GET", "/api/collections/orders/query?search=Crowd&limit=50")).body.data;
  assert.deepEqual([crowd.filter((status) => status === 201).length, stored.length], [5, 5]);
  assert.equal(crowd.filter((status) => status === 429).length, 15);
  const inTurn = async (form: string, sent: Fields) => {
    const answers: number[] = [];
    for (let at = 0; at < 6; at += 1) answers.push(await ask(form, sent));
    return answers;
  };
  assert.deepEqual(await inTurn("again", { name: "Again" }), [201, 201, 201, 201, 201, 429]);
  assert.equal((await objects("Again")).length, 1);
  assert.deepEqual(await inTurn("wrong", { name: "Wrong", age: "x" }), [422, 422, 422, 422, 422, 429]);
  await put(0);
  await settings({ contact });
});

test("FORM-9 the optional script is small and may be loaded by pages", async () => {
  const script = await server.request("GET", "/-/forms.js", { key: null });
  assert.equal(script.status, 200);
  assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/);
  assert.ok(gzipSync(script.text).length <= 1_500);
});
