import assert from "node:assert/strict";
import { test } from "node:test";
import { bringsScript } from "./script-bearing.ts";

const plain = [
  "<p>1 < 2 {{ x }}</p><br/>",
  '<a{% if x %} class="y"{% else %} id=z{% endif %} href="/">x</a>',
  '<body{% if a %} class="{{ b }}"{% endif %} lang=en>',
  "{{ a | raw }}<h1>{{ x }}</h1>",
  "{% style %}a { b: c }{% endstyle %}",
  "<!doctype html><html><!-- x --></html>",
  "{% if a <= b %}x{% endif %}",
];
const doubtful = [
  "{%- script -%}x{% endscript %}",
  "{% liquid\n script\n endscript %}",
  "<SCRIPT src=/x>",
  "<iframe src=/x>",
  "<a onclick=x>",
  "<a href='javascript:x'>",
  // Put together from pieces.
  "<{{ 'script' }} src=/x>",
  "<scr{{ 'ipt' }}>",
  "< {{- 'script' }} src>",
  "<s{% if false %} x{% endif %}cript src=/x>",
  "<s{% if false %} x>{% endif %}cript>",
  "<s {%- if true -%} cript {%- endif %} src>",
  "<s{% comment %}{% endcomment %}cript>",
  "{% block x %}<{% endblock %}script",
  "</{{ x }}>",
  "a<",
  "<scr",
  // Text of Liquid that is printed as it is.
  "{% raw %}{{ <script> }}{% endraw %}",
  "{% cycle '<b>' %}",
  "{% assign x = '<script>' %}",
];

test("PWR-9 a template is plain only where each tag stands in its text as a whole, and none runs code", () => {
  assert.deepEqual(
    plain.filter((text) => bringsScript("pages/x", text)),
    [],
  );
  assert.deepEqual(
    doubtful.filter((text) => !bringsScript("pages/x", text)),
    [],
  );
  assert.ok(bringsScript("pages/app.js", "alert(1)"));
});
