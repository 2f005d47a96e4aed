import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { checkLiquid, renderLiquid } from "./liquid.ts";

const data = { name: "<b>Åsa & Ö</b>", tags: ["a", "b"], html: '<p onclick="x()">Hi<script>x()</script></p>' };

async function messageOf(source: string): Promise<string> {
  try {
    await renderLiquid(source, data);
  } catch (error) {
    if (error instanceof CairnError && error.word === "invalid") return error.message;
    throw error;
  }
  return "";
}

test("MLR-2 values are put out as text, and as they are where no HTML is made", async () => {
  assert.equal(
    await renderLiquid("{{ name }} {% for t in tags %}{{ t }};{% endfor %}", data),
    "&lt;b&gt;Åsa &amp; Ö&lt;/b&gt; a;b;",
  );
  assert.equal(await renderLiquid("{{ name }}", data, { escape: false }), "<b>Åsa & Ö</b>");
});

test("MLR-2 raw lets clean HTML through and nothing that runs", async () => {
  assert.equal(await renderLiquid("{{ html | raw }}|{{ none | raw }}", data), "<p>Hi</p>|");
});

test("MLR-2 a template reaches its data and nothing else", async () => {
  assert.equal(await renderLiquid("{{ tags.constructor }}{{ name.__proto__ }}{{ process }}", data), "");
  for (const tag of ["include '/etc/passwd'", "render 'x'", "layout 'x'"])
    assert.match(await messageOf(`{% ${tag} %}`), /Line 1: tag "\w+" not found/);
});

test("MLR-3 a broken template is refused with its line", async () => {
  assert.equal(checkLiquid("{{ name }}"), undefined);
  assert.equal(checkLiquid("a\n{{ name | nope }}"), "Line 2: undefined filter: nope.");
  assert.equal(
    await messageOf("a\n\n{% if name %}"),
    "The template cannot be used. Line 3: tag {% if name %} not closed.",
  );
});

test("MLR-3 a template may not run long or grow large", async () => {
  const started = Date.now();
  const loop = "{% for i in (1..90000) %}";
  assert.notEqual(await messageOf(`${loop}${loop}${loop}x{% endfor %}{% endfor %}{% endfor %}`), "");
  assert.notEqual(
    await messageOf(`{% assign a = "aaaaaaaa" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}`),
    "",
  );
  assert.notEqual(await messageOf("{{ '2020-01-01' | date: '%9999999999Y' }}"), "");
  assert.notEqual(await messageOf("x".repeat(600_000)), "");
  assert.ok(Date.now() - started < 3_000);
});
