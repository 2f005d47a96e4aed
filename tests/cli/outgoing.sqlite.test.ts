// Mail, webhooks and data views from the command line.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";
import { openReceiver, type Received, type Receiver } from "../support/webhook-receiver.ts";

let server: Server;
let mailbox: Mailbox;
let receiver: Receiver;
before(async () => {
  mailbox = await openMailbox();
  receiver = await openReceiver();
  server = await startServer({ settings: { smtp: mailbox.smtp, webhooks: { allowPrivateHosts: true } } });
});
after(async () => {
  await server.stop();
  await mailbox.close();
  await receiver.close();
});

const make = (collection: string, body: object) => server.request("POST", `/api/collections/${collection}`, { body });
const at = (path: string) => (entry: Received) => entry.path === path;

test("MLR-15 mails are listed, previewed, tested and sent", async () => {
  await make("mailer", {
    id: "hi",
    name: "Hi",
    to: "{{ data.email }}",
    subject: "Hi {{ data.name }}",
    bodyText: "Text",
  });
  const data = JSON.stringify({ email: "ada@example.test", name: "Ada" });
  const preview = await server.cli(["mailer:preview", "hi", "--data-json", data]);
  assert.equal(preview.stdout, "To: ada@example.test\nSubject: Hi Ada\n\nText\n", preview.stderr);
  assert.match((await server.cli(["mailer:list"])).stdout, /^hi +Hi +yes/m);
  const tested = await server.cli(["mailer:test", "hi", "--to", "me@example.test", "--json"]);
  assert.deepEqual(JSON.parse(tested.stdout), { to: "me@example.test", subject: "Hi" });
  await mailbox.next("me@example.test");
  const sent = await server.cli(["mailer:send", "hi", "--data-json", data, "--json"]);
  assert.equal(JSON.parse(sent.stdout).status, "queued", sent.stderr);
  await mailbox.next("ada@example.test");
  assert.equal((await server.cli(["mailer:test", "hi"])).code, 2);
  assert.equal((await server.cli(["mailer:send", "hi", "--object", "x"])).code, 2);
  const wrong = await server.cli(["mailer:send", "hi"]);
  assert.deepEqual([wrong.code, wrong.stderr.split("\n").length], [1, 2]);
  assert.match(wrong.stderr, /to: must name a recipient/);
});

test("WHK-12 webhooks are made, tested, replayed and deleted", async () => {
  const made = await server.cli(["webhooks:create", `${receiver.url}/cli`, "--events", "object.*", "--json"]);
  assert.equal(made.code, 0, made.stderr);
  const { id, secret } = JSON.parse(made.stdout);
  assert.match(secret, /^whsec_/);
  assert.equal((await server.cli(["webhooks:test", id])).code, 0);
  const [log] = JSON.parse((await server.cli(["webhooks:deliveries", id, "--json"])).stdout);
  assert.equal(log.status, "delivered");
  assert.equal((await server.cli(["webhooks:replay", id, log.id])).code, 0);
  await receiver.until(2, at("/cli"));
  assert.match((await server.cli(["webhooks:list"])).stdout, /\/cli +object\.\* +all +active/);
  receiver.answer = (_entry, response) => response.writeHead(500).end();
  const failed = await server.cli(["webhooks:test", id]);
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /status 500/);
  assert.equal((await server.cli(["webhooks:delete", id])).code, 2);
  assert.equal((await server.cli(["webhooks:delete", id, "--force"])).code, 0);
  assert.equal((await server.cli(["webhooks:create", "nonsense"])).code, 1);
});

test("VIEW-14 views are listed and built; a failed build sets the exit code", async () => {
  await make("dataviews", { id: "good", name: "Good", definition: "export default () => [1]" });
  const built = await server.cli(["views:build", "good", "--json"]);
  assert.equal(built.code, 0, built.stderr);
  assert.equal(JSON.parse(built.stdout)[0].lastError, null);
  await make("dataviews", { id: "bad", name: "Bad", definition: "export default () => { throw new Error('no') }" });
  assert.equal((await server.cli(["views:build"])).code, 1);
  const listed = JSON.parse((await server.cli(["views:list", "--json"])).stdout);
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    ["bad", "good"],
  );
  assert.match(listed[0].lastError, /no/);
  assert.equal((await server.cli(["views:build", "none"])).code, 1);
});
