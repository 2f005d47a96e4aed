// Attacks on the language: prototypes, bombs, other files, scripts in values. Each ends in an error or prints nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SiteTemplateError } from "./errors.ts";
import { printed, renderTest, type TestCollection } from "./render.fixture.ts";

const evil = `"'><script>alert(1)</script>`;
const posts: TestCollection = {
  settings: { url: "/p", prettyUrl: true },
  properties: {
    title: { type: "string" },
    content: { type: "string", field: "styledtext" },
    cover: { type: "object", field: "image" },
    tags: { type: "array", field: "list" },
    data: { type: "object", field: "json" },
    drawing: { type: "string", field: "svg" },
    card: { type: "object", field: "card", schemaref: "inner" },
  },
  items: { inner: { note: { type: "string" } } },
  objects: [
    {
      ...{
        id: "x",
        title: evil,
        content: `<p>${evil}</p><img src=x onerror=alert(1)><a href="javascript:x">y</a>`,
        tags: [evil],
      },
      ...{ cover: { url: `/imageworks/a/b/c.jpg?v=${evil}`, alt: evil, width: 10, height: 10, palette: [evil] } },
      ...{
        data: { [evil]: evil, a: { b: evil } },
        drawing: `<svg onload="x"><script>1</script></svg>`,
        card: { note: evil },
      },
    },
  ],
};
const base = { collections: { posts } };
const one = '{% get p from "posts", "x" %}';

test("TMPL-40 no template reaches a prototype, a constructor or a function", async () => {
  const names = [
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "toLiquid",
    "toJSON",
    "markup",
    "super",
  ];
  const values = [
    "p",
    "p.content",
    "p.tags",
    "p.data",
    "p.card",
    "p.cover",
    "l",
    "site",
    "request",
    "request.query",
    "page",
    "'a'",
    "1",
    "(1..2)",
    "forloop",
    "block",
    "params",
    "c",
    "nil",
    "p.title",
  ];
  for (const value of values) {
    for (const name of names) {
      const text = `${one}{% query l from "posts" %}{% capture c %}x{% endcapture %}{% assign v = ${value} %}{{ v.${name} }}{{ v["${name}"] }}{{ v.${name}.constructor.constructor }}{% assign m = l | map: "${name}" %}{{ m | join: "" }}`;
      const body = await printed(text, { ...base, values: { page: { id: "p", route: "/" } } });
      assert.ok(!/function|native|\[object|=>/.test(body), `${value}.${name}: ${body}`);
    }
  }
  assert.equal(await printed("{{ constructor }}{{ __proto__ }}{{ globalThis }}{{ process.env.PATH }}{{ this }}"), "");
  for (const filter of [
    "where_exp",
    "group_by_exp",
    "find_exp",
    "reject_exp",
    "has_exp",
    "inspect",
    "jsonify",
    "constructor",
    "hmac_sha256",
  ])
    await assert.rejects(printed(`{{ 1 | ${filter}: "a", "a" }}`), SiteTemplateError, filter);
  for (const tag of ["include 'x'", "constructor", "layout_", "form_x"])
    await assert.rejects(printed(`{% ${tag} %}`), SiteTemplateError, tag);
});

test("TMPL-41 a script in a value is never markup, wherever it is printed", async () => {
  const texts = [
    "{{ p.title }}",
    '<a title="{{ p.title }}">',
    "{% echo p.title %}",
    "{% cycle p.title, 'b' %}",
    "{% liquid\necho p.title\n%}",
    "{{ p.tags }}",
    "{{ p.tags | join: ', ' }}",
    "{{ p.tags | first }}",
    "{{ p.data.a.b }}",
    "{{ p.data | json }}",
    "{{ p | json }}",
    "{{ p | debug }}",
    "{{ p.title | append: p.title }}",
    "{{ p.title | upcase | downcase }}",
    "{{ p.title | split: 'x' }}",
    "{{ p.title | default: 1 }}",
    "{{ nil | default: p.title }}",
    "{{ p.title | newline_to_br }}",
    "{{ p.title | markdown }}",
    "{{ p.title | markdown_inline }}",
    "{{ p.title | raw }}",
    "{{ p.title | escape_once }}",
    "{{ p.title | truncate: 99 }}",
    "{{ p.title | t }}",
    "{{ p.title | url }}",
    "{{ p.title | date: '%Y' }}",
    "{{ '2026-01-01' | date: p.title }}",
    "{{ p.title | number }}",
    "{{ p.title | embed: title: p.title }}",
    "{{ 'https://youtu.be/abcdefgh' | embed: title: p.title, class: p.title }}",
    "{{ p.cover | image_tag: class: p.title, alt: p.title, sizes: p.title }}",
    "{{ p.cover | image_url }}",
    "{{ p.cover | picture_tag }}",
    "{{ p.cover | image_colors }}",
    "{{ p.title | obfuscate_email }}",
    "{{ 'a@b.de' | obfuscate_email: p.title }}",
    "{% capture c %}{{ p.title }}{% endcapture %}{{ c }}",
    "{% assign a = p.content | append: p.title %}{{ a }}",
    "{% assign a = p.content | strip_html %}{{ a }}",
    "{{ p.content }}",
    "{{ p.drawing }}",
    "{{ p.card.note }}",
    "{{ p.content | toc }}",
    "{{ p.title | headings_ids }}",
    "{% for pair in p.data %}{{ pair }}{{ pair[0] }}{{ pair[1] }}{% endfor %}",
    "{% tablerow t in p.tags %}{{ t }}{% endtablerow %}",
    "{{ request.query.q }}",
    "{% nav main label: p.title %}",
    "{% head title: p.title, description: p.title %}",
    "{% breadcrumbs label: p.title %}",
    "{{ '/x' | with_query: q: p.title }}",
    "{{ p.title | excerpt: 99 }}",
    "{{ p.title | initials }}",
    "{{ 2 | pluralize: p.title }}",
    "{% search h for request.query.q in 'posts' %}{% for x in h %}{{ x.title }}{{ x.excerpt }}{% endfor %}",
    "{% render 'show', v: p.title %}",
    "{% script %}x = {{ p.title | json }}{% endscript %}",
    "{% script id: p.title %}{% endscript %}",
    "{% query l from 'posts', limit: 1 %}{% pagination l %}{{ l.items }}{{ l | csv }}",
  ];
  const templates = { "partials/show": "{{ v }}" };
  const pages = [{ id: "h", title: evil, route: "/", nav: true }];
  const more = {
    ...base,
    templates,
    pages,
    isDevelopment: true,
    request: { query: new Map([["q", evil]]) },
    values: { object: { collection: "posts", id: "x" } },
  };
  for (const text of texts) {
    const body = await printed(one + text, more).catch((error) => assert.fail(`${text}: ${error}`));
    const data = /<script type="application\/ld\+json">[^<]*<\/script>/g;
    const markup = body.replace(data, "").replace(/^<script(?: id="[^"]*")?>|<\/script>$/g, "");
    const tags = markup.match(/<[a-z!/][^>]*>/gi) ?? [];
    const bad = tags.filter((tag) => /^<script|\son\w+\s*=|javascript:/i.test(tag));
    assert.deepEqual(bad, [], `${text}: ${body}`);
    assert.ok(!/"'>/.test(markup), `${text}: ${body}`);
  }
});

test("TMPL-42 bombs end at their limits: loops, ranges, captures, replace, append, depth, queries, objects", async () => {
  const bombs: Record<string, RegExp> = {
    "{% for i in (1..100000000) %}x{% endfor %}": /at most/,
    "{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}{{ k }}{% endfor %}{% endfor %}{% endfor %}":
      /takes too long|at most/,
    "{% assign s = 'aaaaaaaaaa' %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}": /at most/,
    "{% assign s = 'aaaaaaaaaa' %}{% for i in (1..60) %}{% assign s = s | replace: 'a', 'aaaaaaaaaa' %}{% endfor %}":
      /at most/,
    "{% assign s = 'aaaaaaaaaa' %}{% for i in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}":
      /at most/,
    "{% assign s = 'aa' %}{% for i in (1..60) %}{% assign s = s | replace: '', 'bbbbbbbb' %}{% endfor %}": /at most/,
    "{% assign l = 'a,b,c,d' | split: ',' %}{% for i in (1..60) %}{% assign l = l | concat: l %}{% endfor %}":
      /at most/,
    "{% assign l = (1..20000) | sort %}": /at most/,
    "{% assign l = (1..9000) %}{% for i in l %}{% assign x = l | join: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}{% endfor %}":
      /at most|takes too long/,
    "{% for i in (1..101) %}{% get x from 'posts', 'x' %}{% endfor %}": /at most 100 queries/,
    "{{ '2026-01-01' | date: '%999999999d' }}{% for i in (1..300000) %}{{ '<<<<<<<<<<<<<<<<<<<<' | escape }}{% endfor %}":
      /at most|takes too long/,
  };
  for (const [text, message] of Object.entries(bombs)) {
    const error = await printed(text, base).then(
      () => assert.fail(text),
      (told: Error) => told,
    );
    assert.ok(error instanceof SiteTemplateError, String(error));
    assert.match(error.message, message, text);
  }
  const chain = Object.fromEntries(
    Array.from({ length: 25 }, (_, n) => [`partials/p${n}`, `{% render "p${n + 1}" %}`]),
  );
  await assert.rejects(printed('{% render "p0" %}', { templates: { ...chain, "partials/p25": "end" } }), /depth of 20/);
  await assert.rejects(printed("{{ 1 }}".repeat(5_001)), /more than 5000 tags/);
  await assert.rejects(printed(`${"{% if 1 %}".repeat(2_400)}${"{% endif %}".repeat(2_400)}`), SiteTemplateError);
});

test("TMPL-43 other work goes on while a template works for long", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const text =
    "{% for i in (1..900) %}{% for j in (1..900) %}{{ j | times: i | plus: 1 | modulo: 7 }}{% endfor %}{% endfor %}";
  await assert.rejects(printed(text), /takes too long|at most/);
  clearInterval(timer);
  assert.ok(turns > 3, String(turns));
});

test("TMPL-44 passwords and drafts do not exist for templates", async () => {
  const secret = {
    properties: { title: { type: "string" }, password: { type: "string", field: "password" } },
    objects: [{ id: "s", title: "T" }],
  } as TestCollection;
  const text = '{% get s from "secret", "s" %}{{ s.title }}{{ s.password }}{{ s | json }}';
  assert.equal(
    await printed(text, { collections: { secret } }),
    "T{&quot;id&quot;:&quot;s&quot;,&quot;title&quot;:&quot;T&quot;}",
  );
  const draft = { properties: { draft: { type: "boolean" } }, objects: [{ id: "d", draft: true }] } as TestCollection;
  const { body } = await renderTest({
    collections: { draft },
    templates: { "pages/test": '{% query l from "draft" %}{{ l.size }}{% get d from "draft", "d" %}{{ d.id }}' },
  });
  assert.equal(body, "0");
});
