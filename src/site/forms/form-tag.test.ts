import assert from "node:assert/strict";
import { test } from "node:test";
import type { PropertyDefinition } from "#contract/schemas.ts";
import { renderTest, type TestPage } from "#site/template/render.fixture.ts";

const text = { type: "string", field: "text" };
const properties: { [name: string]: PropertyDefinition } = {
  name: { ...text, label: "Your name", required: true, help: "First and last" },
  email: { type: "email", field: "email", label: "E-mail" },
  message: { type: "string", field: "textarea" },
  age: { type: "integer", field: "number" },
  agree: { type: "boolean", field: "checkbox" },
  size: { type: "string", field: "radio", options: ["s", "m"] },
  colour: { type: "string", field: "select", options: [{ value: "r", label: "Red" }] },
  topics: { type: "list", field: "multicheckbox", options: ["a", "b"] },
  day: { type: "date", field: "date" },
  at: { type: "time", field: "time" },
  phone: { type: "phone", field: "phone" },
  site: { type: "url", field: "url" },
  cv: { type: "file", field: "file" },
};
const fields = Object.keys(properties).filter((name) => name !== "cv");
const forms = {
  contact: { fields, files: { cv: { types: ["application/pdf"], max: 2 } } },
  members: { fields: ["name"], access: "user" },
  proven: { fields: ["name"], guard: { challenge: "proof" } },
  off: { fields: ["name"], enabled: false },
};
const collections = { orders: { settings: { forms, publicOperations: [] }, properties, objects: [] } };

function show(template: string, more: Partial<TestPage> = {}) {
  return renderTest({ collections, ...more, templates: { "pages/test": template, ...more.templates } });
}
const all = '{% form "orders/contact", id: "c1", class: "wide" %}{{ form | fields }}{% endform %}';

test("FORM-10 a form prints its guard, and each kind of field with its label", async () => {
  const { body, told } = await show(all, { request: { path: "/contact" } });
  assert.match(
    body,
    /^<form method="post" action="\/forms\/orders\/contact" id="c1" data-cairn-form class="wide" enctype=/,
  );
  assert.match(body, /<input type="hidden" name="_page" value="\/contact">/);
  assert.match(body, /aria-hidden="true"><label>[^<]*<input name="f0123456789" tabindex="-1" autocomplete="off">/);
  assert.match(
    body,
    /<label for="c1-name">Your name.*?<input type="text" id="c1-name" name="name"[^>]* aria-describedby="c1-name-help"[^>]*autocomplete="name"/,
  );
  for (const control of [
    /<input type="email" [^>]*autocomplete="email"/,
    /<textarea rows="6" id="c1-message"/,
    /<input type="number" /,
    /<input type="checkbox" value="true" id="c1-agree"/,
    /<legend>[^<]*<\/legend><label for="c1-size-0"><input type="radio" id="c1-size-0" name="size" value="s">/,
    /<select id="c1-colour"[^>]*><option value=""><\/option><option value="r">Red<\/option>/,
    /<input type="checkbox" id="c1-topics-1" name="topics" value="b">/,
    /<input type="date" /,
    /<input type="time" /,
    /<input type="tel" [^>]*autocomplete="tel"/,
    /<input type="url" /,
    /<input type="file" id="c1-cv" name="cv" accept="application\/pdf" multiple>/,
  ])
    assert.match(body, control);
  assert.deepEqual([told.isPrivate, told.isNever, told.seconds], [false, false, 600]);
});

test("FORM-10 a refused form shows what was typed and what is wrong, and takes the focus", async () => {
  const sentForm = {
    form: "orders/contact",
    values: { name: '<b>"Ada"</b>', topics: ["b"], agree: true, size: "m" },
    errors: { email: ["must be an address"], nowhere: ["is not part of this form"] },
  };
  const { body, told } = await show(all, { request: { sentForm } });
  assert.match(body, /<div class="form-summary" role="alert" tabindex="-1" autofocus>/);
  assert.match(body, /<li><a href="#c1-email">E-mail: must be an address<\/a><\/li><li>nowhere: is not part/);
  assert.match(body, /name="email" aria-invalid="true" aria-describedby="c1-email-error"/);
  assert.match(body, /<p class="form-error" id="c1-email-error">must be an address<\/p>/);
  assert.match(body, /value="&lt;b&gt;&quot;Ada&quot;&lt;\/b&gt;"/);
  assert.match(body, /id="c1-topics-1" name="topics" value="b" checked>/);
  assert.match(body, /id="c1-size-1" name="size" value="m" checked>/);
  assert.match(body, /id="c1-agree" name="agree" checked>/);
  assert.equal(told.isNever, true);
});

test("FORM-10 authors write controls of their own, and see when the form was sent", async () => {
  const own =
    '{% form "orders/contact" %}{{ form.fields.email | field }}[{{ form.values.name }}|{{ form.sent }}]{% endform %}';
  const plain = await show(own);
  assert.match(plain.body, /\[\|false\]<\/form>$/);
  const sent = await show(own, { request: { query: new Map([["_sent", "contact"]]) } });
  assert.match(sent.body, /<div class="form-sent" role="status"/);
  assert.match(sent.body, /\[\|true\]/);
  assert.equal(sent.told.parameters.get("_sent"), "contact");
  const partial = { "forms/email": '<x-mail name="{{ field.name }}">{{ field.label }}</x-mail>' };
  assert.match(
    (await show(own, { templates: partial })).body,
    /<label for="[^"]*">E-mail<\/label><x-mail name="email">E-mail/,
  );
});

test("FORM-10 a form for users carries the token and makes the page private", async () => {
  const template = '{% form "orders/members" %}{% endform %}';
  const { body, told } = await show(template, { request: { formToken: async () => "tok" } });
  assert.match(body, /<input type="hidden" name="csrf_token" value="tok">/);
  assert.equal(told.isPrivate, true);
  const proven = await show('{% form "orders/proven" %}{% endform %}');
  assert.match(proven.body, /data-proof="salt" data-bits="\d+"/);
});

test("FORM-10 a form that is not there is an error in development, and nothing in production", async () => {
  for (const name of ["orders/off", "orders/none", "none/x", "orders"]) {
    assert.equal((await show(`{% form "${name}" %}x{% endform %}`)).body, "");
    await assert.rejects(show(`{% form "${name}" %}x{% endform %}`, { isDevelopment: true }), /There is no form/);
  }
});
