import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { leastTime } from "#base/patience.fixture.ts";
import { checkLiquid, renderLiquid } from "./liquid.ts";
import { templateProblem } from "./template-syntax.ts";

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
  const loop = "{% for i in (1..90000) %}";
  const work = async () => {
    assert.notEqual(await messageOf(`${loop}${loop}${loop}x{% endfor %}{% endfor %}{% endfor %}`), "");
    assert.notEqual(
      await messageOf(`{% assign a = "aaaaaaaa" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}`),
      "",
    );
    assert.notEqual(await messageOf("{{ '2020-01-01' | date: '%9999999999Y' }}"), "");
    assert.notEqual(await messageOf("x".repeat(600_000)), "");
  };
  assert.ok((await leastTime(3_000, work)) < 3_000);
});

test("MLR-16 others are served while a template is filled in, however much there is to do", async () => {
  // By processor time: how long a busy machine keeps this process waiting says nothing about it.
  const spent = () => process.cpuUsage().user / 1_000;
  let longest = 0;
  let last = spent();
  const timer = setInterval(() => {
    longest = Math.max(longest, spent() - last);
    last = spent();
  }, 1);
  const many = Array.from({ length: 100_000 }, (_, n) => `x${(n * 7919) % 100_000}`);
  const started = spent();
  await assert.rejects(renderLiquid("{% for a in many %}{% for b in many %}{{ b }}{% endfor %}{% endfor %}", { many }));
  const whole = spent() - started;
  assert.equal(await renderLiquid("{% for a in many limit: 9000 %}x{% endfor %}", { many }), "x".repeat(9_000));
  assert.match(await renderLiquid("{% for a in (1..2) %}{{ forloop.index }}{{ forloop }}{% endfor %}", {}), /^1.*2/);
  clearInterval(timer);
  assert.ok(longest < Math.max(150, whole / 3), `others waited for ${longest} ms of ${whole} ms of work`);
});

test("MLR-16 uninterruptible work of the library is refused when it would take long", async () => {
  const many = Array.from({ length: 10_001 }, (_, n) => n);
  for (const filter of ["sort", "sort_natural", "sample", "uniq", "json"])
    await assert.rejects(renderLiquid(`{{ many | ${filter} }}`, { many }), /Line 1: .*at most 10000 elements/);
  await assert.rejects(renderLiquid("{{ html | raw }}", { html: "x".repeat(100_001) }), /raw takes texts of at most/);
  assert.equal(await renderLiquid("{{ few | sort | join: ',' }}", { few: [3, 1, 2] }), "1,2,3");
  for (const problem of [checkLiquid("{{ a }}".repeat(5_001)), templateProblem("{{ a }}".repeat(5_001))])
    assert.equal(problem, "It has more than 5000 tags.");
});
