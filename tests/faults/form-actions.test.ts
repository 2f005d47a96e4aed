// What follows a form, over a real mail server, and under kills of the server between the stored form and its actions.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { automate, runsOf } from "../automations/samples.ts";
import { type Answer, repeats, type Server, startServer } from "../harness.ts";
import { multipart, send as sendParts } from "../support/forms.ts";
import { type Mail, type Mailbox, openMailbox } from "../support/smtp-server.ts";
import { openReceiver, type Receiver } from "../support/webhook-receiver.ts";

const kills = repeats(3, 40);
let server: Server;
let mailbox: Mailbox;
let receiver: Receiver;

before(async () => {
  mailbox = await openMailbox();
  receiver = await openReceiver();
  const limits = { forms: { rateLimit: 0 }, api: { rateLimit: 0 } };
  server = await startServer({
    settings: {
      ...limits,
      smtp: mailbox.smtp,
      webhooks: { allowPrivateHosts: true },
      automations: { keepRuns: 1_000 },
    },
  });
  const text = { type: "string", field: "text" };
  const properties = { name: text, email: { type: "email", field: "email" }, cv: { type: "file", field: "file" } };
  await server.makeSchema({ id: "order", properties, index: ["id", "name"] });
  const thanks = { to: "club@example.test", subject: "From {{ data.name }}", bodyText: "Order {{ data.id }}" };
  const mail = await server.request("POST", "/api/collections/mailer", { body: { id: "order", name: "o", ...thanks } });
  assert.equal(mail.status, 201, mail.text);
  await automate(server, "note", { body: "return ctx.args.id" });
  const actions = [
    { type: "mailer", mailerId: "order", replyTo: "email" },
    { type: "automation", id: "note" },
    { type: "webhook", url: `${receiver.url}/hook` },
  ];
  const order = { fields: ["name", "email"], files: { cv: { max: 1 } }, notify: ["desk@example.test"], actions };
  await server.makeCollection({ id: "orders", schema: "order", forms: { order } });
});
after(async () => {
  await server.stop();
  await mailbox.close();
  await receiver.close();
});

const json = { accept: "application/json" };
const sendOrder = (name: string): Promise<Answer> =>
  server.request("POST", "/forms/orders/order", {
    key: null,
    headers: json,
    body: { name, email: `${name}@visitors.test` },
  });
const idsIn = (mails: readonly Mail[]) => new Map(mails.map(({ parsed }) => [parsed.messageId ?? "", parsed]));
const mailsOf = (to: string, name: string) =>
  mailbox.mails.filter((mail) => mail.to.includes(to) && mail.raw.includes(name));

test("FORM-8 a form notifies fixed addresses and sends a mail of its collection, over SMTP", async () => {
  assert.equal((await sendOrder("mailed")).status, 201);
  const notice = await mailbox.next("desk@example.test");
  assert.equal(notice.parsed.subject, "Form orders/order was sent");
  assert.match(notice.parsed.text ?? "", /^name: mailed$/m);
  const { parsed, to, from } = await mailbox.next("club@example.test");
  assert.deepEqual([to, from], [["club@example.test"], "cms@example.test"]);
  assert.equal(parsed.subject, "From mailed");
  assert.equal(parsed.replyTo?.value[0]?.address, "mailed@visitors.test");
  const [hook] = await receiver.until(1, ({ body }) => body.data.object.name === "mailed");
  assert.equal(parsed.text?.trim(), `Order ${hook?.body.data.id}`);
});

test("FORM-11 actions see the object with its files", async () => {
  const parts = multipart([
    { field: "name", value: "filed" },
    { field: "cv", name: "cv.pdf", bytes: "%PDF-1.4\n%%EOF\n" },
  ]);
  const answer = await sendParts(server, "/forms/orders/order", parts, { key: null, headers: json });
  assert.equal(answer.status, 201, answer.text);
  const [hook] = await receiver.until(1, ({ body }) => body.data.object.name === "filed");
  assert.equal(hook?.body.data.object.cv?.name, "cv.pdf", hook?.raw);
});

test(`FORM-11 ${kills} kills between stored forms and their actions: none is lost, no mail and no run is made twice`, async () => {
  const accepted: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const names = Array.from({ length: 6 }, (_, at) => `killed-${kill}-${at}-x`);
    const sendings = names.map(async (name) => {
      const status = await sendOrder(name).then(
        (answer) => answer.status,
        () => undefined,
      );
      if (status === 201) accepted.push(name);
    });
    // The first kill comes as soon as a form is answered, later ones further into its actions.
    await Promise.race(sendings);
    await sleep(kill * 25);
    await server.kill();
    await Promise.all(sendings);
    await server.restart();
  }
  assert.ok(accepted.length >= kills, `only ${accepted.length} were accepted`);

  // Also those that were stored, and whose answer was cut off.
  const { body } = await server.request("GET", "/api/collections/orders?limit=100&filter[name][contains]=killed");
  const stored = body.data as { id: string; name: string }[];
  for (const name of accepted) assert.equal(stored.filter((one) => one.name === name).length, 1, name);
  const hooksOf = (name: string) => receiver.received.filter((one) => one.body.data.object.name === name);
  for (const { name } of stored) await until(() => hooksOf(name).length > 0);
  await until(
    async () => (await server.request("GET", "/api/mailer/log?limit=100&mailer=order")).body.data,
    (rows) => rows.every(({ status }: { status: string }) => status === "sent"),
  );
  // Mails whose sending was cut off are sent again when their lease has ended.
  for (const { name } of stored) await until(() => mailsOf("desk@example.test", name).length > 0);
  await mailbox.settled("desk@example.test");
  const runs = await until(
    () => runsOf(server, "note"),
    (found) => found.every(({ finishedAt }) => finishedAt !== null),
  );
  for (const { id, name } of stored) {
    // A mail that was cut off after it was sent comes again, as the same mail.
    for (const to of ["desk@example.test", "club@example.test"])
      assert.equal(idsIn(mailsOf(to, name)).size, 1, `${to}: ${name}`);
    assert.equal(runs.filter(({ result }) => result === id).length, 1, name);
    assert.equal(new Set(hooksOf(name).map(({ headers }) => headers["webhook-id"])).size, 1, name);
  }
});
