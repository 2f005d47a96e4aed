// Layouts, partials, names and values of templates, without a database.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SiteTemplateError } from "./errors.ts";
import { printed, renderTest, type TestCollection } from "./render.fixture.ts";

const posts: TestCollection = {
  settings: { url: "/blog", prettyUrl: true },
  properties: {
    title: { type: "string" },
    date: { type: "string", field: "date" },
    content: { type: "string", field: "styledtext" },
    author: { type: "string", reference: "people" },
    tags: { type: "array", field: "list" },
    cover: { type: "object", field: "image", $ref: "image" },
    draft: { type: "boolean" },
  },
  objects: [
    { id: "a", title: "Tom & Jerry", date: "2026-01-01", content: "<p>A</p>", author: "ann", tags: ["x"], cover: {} },
    {
      id: "b",
      title: "<script>b</script>",
      date: "2026-01-02",
      content: "<p onclick='x()'>B</p><script>1</script>",
      author: "bob",
    },
    { id: "c", title: "Third", date: "2026-01-03", content: "", author: "ann" },
    { id: "d", title: "Draft", date: "2026-01-04", content: "", draft: true },
  ],
};
const people: TestCollection = {
  properties: { name: { type: "string" } },
  objects: [
    { id: "ann", name: "Ann" },
    { id: "bob", name: "Bob" },
  ],
};
const collections = { posts, people };

function failing(templates: Record<string, string>, more = {}): Promise<SiteTemplateError> {
  return renderTest({ templates, collections, isDevelopment: true, ...more }).then(
    () => assert.fail("it was rendered"),
    (error: unknown) => {
      assert.ok(error instanceof SiteTemplateError, String(error));
      return error;
    },
  );
}

test("TMPL-1 a page fills the blocks of its layout, and a layout those of its own", async () => {
  const templates = {
    "layouts/base": "<title>{% block title %}Base{% endblock %}</title>{% block main %}-{% endblock %}",
    "layouts/wide": '{% layout "base" %}{% block title %}Wide {{ block.super }}{% endblock %}',
    "pages/test":
      '{% layout "wide" %}{% block title %}Page {{ block.super }}{% endblock %}{% block main %}<b>{{ "&" }}</b>{% endblock %}',
  };
  const { body } = await renderTest({ templates });
  assert.equal(body, "<title>Page Wide Base</title><b>&amp;</b>");
});

test("TMPL-2 a page without the tag gets layouts/default, and none refuses it; what stands outside of blocks is main", async () => {
  const layout = { "layouts/default": "<main>{% block main %}{% endblock %}</main>" };
  assert.equal(await printed("<p>{{ 1 }}</p>", { templates: layout }), "<main><p>1</p></main>");
  assert.equal(await printed("{% layout none %}<p></p>", { templates: layout }), "<p></p>");
  assert.equal(await printed("a,b", { templates: layout, values: { kind: "txt" } }), "a,b");
});

test("TMPL-3 layouts have layouts to a depth of 5; one that is missing, or not first, is named", async () => {
  const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`layouts/l${n}`, `{% layout "l${n + 1}" %}`]));
  const deep = await failing({ "pages/test": '{% layout "l1" %}', ...chain, "layouts/l7": "end" });
  assert.match(deep.message, /depth of 5/);
  const missing = await failing({ "pages/test": '{% layout "bsae" %}', "layouts/base": "" });
  assert.match(missing.message, /There is no layout "bsae". Did you mean "base"/);
  assert.match((await failing({ "pages/test": 'x{% layout "base" %}' })).message, /must be the first tag/);
});

test("TMPL-4 a partial sees its arguments and the globals only", async () => {
  const templates = { "partials/card": "{{ title }}|{{ hidden }}|{{ site.name }}|{{ x }};" };
  const text = '{% assign hidden = "secret" %}{% render "card", title: "A" %}{% render "card", x: hidden %}';
  assert.equal(await printed(text, { templates }), "A||Old Stones|;||Old Stones|secret;");
  const list = { "partials/item": "{{ forloop.index }}{{ item }}" };
  assert.equal(await printed('{% render "partials/item", item: "x" %}', { templates: list }), "x");
  assert.equal(
    await printed('{% assign l = "a,b" | split: "," %}{% render "item" for l %}', { templates: list }),
    "1a2b",
  );
});

test("TMPL-5 a circle of partials is named, include does not exist, and names stay in partials/", async () => {
  const circle = {
    "pages/test": '{% render "a" %}',
    "partials/a": '{% render "b" %}',
    "partials/b": '{% render "a" %}',
  };
  const error = await failing(circle);
  assert.match(error.message, /circle: partials\/a > partials\/b > partials\/a/);
  assert.deepEqual(
    error.way.map(({ template }) => template),
    ["pages/test", "partials/a", "partials/b"],
  );
  assert.match((await failing({ "pages/test": '{% include "a" %}' })).message, /There is no tag "include"/);
  for (const name of ["../layouts/base", "/etc/passwd", "a/../../x", "..", "a\\b", "%2e%2e/x"]) {
    const outside = await failing({ "pages/test": `{% render "${name}" %}`, "layouts/base": "secret" });
    assert.match(outside.message, /not the name of a partial/, name);
  }
  const dynamic = await failing({ "pages/test": '{% assign p = "emails/x" %}{% render p %}', "emails/x": "secret" });
  assert.match(dynamic.message, /There is no partial "emails\/x"/);
});

test("TMPL-6 values are escaped, rich text is printed clean, and captured text is not escaped twice", async () => {
  const text = '{% query l from "posts" %}{% for p in l %}{{ p.title }}{{ p.content }}{% echo p.title %}{% endfor %}';
  const body = await printed(text, { collections });
  assert.ok(body.includes("Tom &amp; Jerry<p>A</p>Tom &amp; Jerry"), body);
  assert.ok(!/<script|onclick/.test(body), body);
  assert.equal(await printed('{% capture c %}<b>{{ "<" }}</b>{% endcapture %}{{ c }}'), "<b>&lt;</b>");
  assert.equal(
    await printed('{% get p from "posts", "b" %}{{ p.content | escape }}', { collections }).then((t) =>
      t.includes("&lt;script"),
    ),
    true,
  );
  assert.equal(await printed('{% get p from "posts", "b" %}{{ p.content | strip_html }}', { collections }), "B");
  assert.equal(await printed('{{ "<b>" }}{{ "a" | append: "<i>" }}', { values: { kind: "txt" } }), "<b>a<i>");
  assert.equal(await printed('{{ "<a href=javascript:x>y</a><b>z</b>" | raw }}'), "<a>y</a><b>z</b>");
});

test("TMPL-10 a query is looped over and knows its pages; a page beyond the last is not found", async () => {
  const text = '{% query l from "posts", sort: "-date", limit: 2, page: request.query.page %}';
  const shown =
    "{% for p in l %}{{ p.id }}{% endfor %} {{ l.total }} {{ l.count }} {{ l.pages }} {{ l.page }} {{ l.prev }} {{ l.next }} {{ l.first.id }}";
  const first = await renderTest({ templates: { "pages/test": text + shown }, collections });
  assert.equal(first.body, "cb 3 2 2 1  2 c");
  assert.deepEqual(first.told.queries, [{ collection: "posts", ids: ["c", "b"], total: 3 }]);
  const second = await renderTest({
    templates: { "pages/test": text + shown },
    collections,
    request: { query: new Map([["page", "2"]]) },
  });
  assert.equal(second.body, "a 3 1 2 2 1  a");
  for (const page of ["3", "0", "-1", "x", "1e9"]) {
    const { rendered } = await renderTest({
      templates: { "pages/test": text },
      collections,
      request: { query: new Map([["page", page]]) },
    });
    assert.deepEqual(rendered, { kind: "abort", status: 404 }, page);
  }
});

test("TMPL-11 with resolves references in one statement; get finds one object, or nothing, or ends the page", async () => {
  const text = '{% query l from "posts", with: "author" %}{% for p in l %}{{ p.author.name }} {% endfor %}';
  const { body, told } = await renderTest({ templates: { "pages/test": text }, collections });
  assert.equal(body, "Ann Bob Ann ");
  assert.equal(told.objects.filter(({ collection }) => collection === "people").length, 2);
  assert.equal(await printed('{% query l from "posts" %}{{ l.first.author }}', { collections }), "ann");
  const gone = await renderTest({
    templates: { "pages/test": '{% get x from "posts", "no" %}[{{ x.title }}]' },
    collections,
  });
  assert.deepEqual([gone.body, gone.told.absences], ["[]", ["posts/no"]]);
  const required = { "pages/test": '{% get x from "posts", "d", required: true %}' };
  assert.deepEqual((await renderTest({ templates: required, collections })).rendered, { kind: "abort", status: 404 });
  assert.match(
    (await failing({ "pages/test": '{% query l from "posts", with: "autor" %}' })).message,
    /Did you mean "author"/,
  );
});

test("TMPL-11 with follows references in cards and decks, and from one object to the next", async () => {
  const credit = { photo: { type: "string", reference: "people" } };
  const stories: TestCollection = {
    properties: {
      author: { type: "string", reference: "writers" },
      credits: { type: "array", field: "deck", deckref: "credit" },
    },
    items: { credit },
    objects: [
      {
        id: "s",
        author: "w",
        credits: [
          { id: "1", photo: "ann" },
          { id: "2", photo: "gone" },
        ],
      },
    ],
  };
  const writers: TestCollection = {
    properties: { friends: { type: "array", field: "list", reference: "people" } },
    objects: [{ id: "w", friends: ["bob", "ann"] }],
  };
  const text = `{% query l from "stories", with: "credits.photo, author.friends" %}{% for s in l %}
    {%- for c in s.credits %}{{ c.photo.name }},{% endfor %}{% for f in s.author.friends %}{{ f.name }};{% endfor %}
    {%- endfor %}`;
  const known = { collections: { stories, writers, people } };
  const { body, told } = await renderTest({ templates: { "pages/test": text }, ...known });
  assert.equal(body.trim(), "Ann,,Bob;Ann;");
  assert.deepEqual(told.objects.map(({ collection, id }) => `${collection}/${id}`).sort(), [
    ...["people/ann", "people/ann", "people/bob", "stories/s", "writers/w"],
  ]);
  assert.deepEqual(told.absences, ["people/gone"]);
});

test("TMPL-12 the recorder is told which properties were read, and nothing else", async () => {
  const text =
    '{% query l from "posts" %}{% for p in l %}{{ p.title }}{% if p.tags %}{% endif %}{{ p | url }}{% endfor %}';
  const { told } = await renderTest({ templates: { "pages/test": text }, collections });
  assert.deepEqual([...(told.objects[0]?.properties ?? [])].sort(), ["draft", "id", "tags", "title"]);
  assert.equal(told.queries[0]?.total, undefined);
  assert.deepEqual([told.isPrivate, told.seconds, told.isNever], [false, undefined, false]);
  const other = await renderTest({
    templates: { "pages/test": "{{ now }}{{ user.name }}{{ request.query.a }}{{ request.query.b }}" },
    request: { query: new Map([["a", "1"]]) },
  });
  assert.deepEqual([other.told.isPrivate, other.told.seconds], [true, 60]);
  assert.deepEqual(
    [...other.told.parameters],
    [
      ["a", "1"],
      ["b", undefined],
    ],
  );
});

test("TMPL-13 a collection that is not on the site is a mistake in development, and nothing with one log line in production", async () => {
  const closed = { ...people, settings: { publicOperations: [] } };
  const secret = { ...people, settings: { onSite: true, publicOperations: ["read" as const] } };
  const all = { people: closed, auth: secret, mailer: secret, automations: secret };
  for (const id of Object.keys(all)) {
    const templates = {
      "pages/test": `{% query l from "${id}" %}{% get o from "${id}", "ann" %}[{{ l.size }}{{ o.name }}]`,
    };
    const { body, warnings } = await renderTest({ templates, collections: all });
    assert.equal(body, "[0]", id);
    assert.match(warnings.join(), new RegExp(`"${id}" is not on the site`));
    assert.match((await failing(templates, { collections: all })).message, /is not on the site/);
  }
  const opened = { people: { ...closed, settings: { publicOperations: [], onSite: true } } };
  assert.equal(await printed('{% query l from "people" %}{{ l.size }}', { collections: opened }), "2");
  const shut = { people: { ...people, settings: { onSite: false } } };
  assert.equal(await printed('{% query l from "people" %}{{ l.size }}', { collections: shut }), "0");
});

test("TMPL-14 an error has template, line, column, the lines around it and the way there", async () => {
  const error = await failing({
    "pages/test": 'a\n{% render "card", post: 1 %}',
    "partials/card": "x\n\n  {{ post | upcaes }}",
  });
  assert.deepEqual([error.template, error.line, error.column], ["partials/card", 3, 3]);
  assert.match(error.message, /There is no filter "upcaes". Did you mean "upcase"/);
  assert.deepEqual(error.way, [{ template: "pages/test" }]);
  const deep = await failing({
    "pages/test": '{% render "card", post: 1 %}',
    "partials/card": "\n{{ post | date: post, 1 }}{{ 1 | divided_by: 0 | modulo: 0 }}{% query x from 'nope' %}",
  });
  assert.deepEqual([deep.template, deep.line], ["partials/card", 2]);
  assert.deepEqual(deep.way, [{ template: "pages/test" }, { template: "partials/card", args: ["post"] }]);
  assert.deepEqual(
    deep.lines.map(({ number }) => number),
    [1, 2],
  );
});

test("TMPL-15 a name that is not there is a warning in development, with names that come near", async () => {
  const templates = { "pages/test": '{% get p from "posts", "a" %}{{ p.titel }}{{ p.constructor }}' };
  const { warnings, body } = await renderTest({ templates, collections, isDevelopment: true });
  assert.equal(body, "");
  assert.match(warnings.join("\n"), /"titel" is not a property of the collection "posts". Did you mean "title"/);
  assert.deepEqual((await renderTest({ templates, collections })).warnings, []);
});
