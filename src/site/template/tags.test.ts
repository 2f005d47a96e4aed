// Tags and filters beyond layouts and queries, without a database.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { printed, renderTest, type TestCollection } from "./render.fixture.ts";

const image = {
  ...{ name: "hill.jpg", url: "/imageworks/walks/a/cover.jpg?v=abc", alt: 'A "hill"', width: 1000, height: 500 },
  palette: ["#112233", "#445566"],
};
const walks: TestCollection = {
  settings: { url: "/walks/{id}", publicFiles: true },
  properties: {
    title: { type: "string" },
    date: { type: "string", field: "date" },
    cover: { type: "object", field: "image" },
    photos: { type: "array", field: "gallery" },
    map: { type: "object", field: "file" },
    guide: { type: "string", reference: "people" },
    content: { type: "string", field: "styledtext" },
    words: { type: "object", field: "localizedtext" },
    length: { type: "number" },
    regions: { type: "array", field: "list" },
  },
  objects: [
    {
      ...{
        id: "a",
        title: "Alpha <b>",
        date: "2026-05-04",
        cover: image,
        photos: [
          { ...image, featured: false },
          { ...image, url: "/imageworks/walks/a/photos/b.jpg?v=b", featured: true },
        ],
      },
      ...{
        map: { name: "map.pdf", size: 1_500_000, storedAs: "secret" },
        guide: "ann",
        length: 12.5,
        regions: ["north"],
      },
      ...{ content: "<h2>One</h2><p>text of stones</p><h3>Two</h3><h2>One</h2>", words: { en: "Hello", de: "Hallo" } },
    },
    { id: "b", title: "Beta", date: "2026-05-05", guide: "ann", length: 7.5, regions: ["south", "north"] },
  ],
};
const people: TestCollection = {
  settings: { url: "/people", prettyUrl: true },
  properties: { name: { type: "string" } },
  objects: [{ id: "ann", name: "Ann" }],
};
const pages = [
  { id: "home", title: "Home", route: "/", nav: true, order: 0 },
  { id: "walks", title: "All walks", navTitle: "Walks", route: "/walks", nav: true, order: 1 },
  { id: "north", title: "North", route: "/walks/north", nav: true, parent: "walks", order: 1 },
  { id: "members", title: "Members", route: "/members", nav: true, accessGroups: ["members"] },
];
const base = { collections: { walks, people }, pages };
const one = '{% get w from "walks", "a" %}';

test("TMPL-20 nav is a tree, printed as accessible markup unless the template uses it; pages of groups are for their members", async () => {
  const request = { path: "/walks/north" };
  const body = await printed("{% nav main depth: 2 %}", { ...base, request });
  assert.equal(
    body,
    '<nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/walks" aria-current="true">Walks</a>' +
      '<ul><li><a href="/walks/north" aria-current="page">North</a></li></ul></li></ul></nav>',
  );
  const looped =
    "{% nav main %}{% for item in main %}{{ item.title }}{{ item.isActive }}{{ item.children.size }} {% endfor %}";
  assert.equal(await printed(looped, { ...base, request }), "Homefalse0 Walkstrue1 ");
  const visitor = async () => ({ id: "u", name: "U", groups: ["members"] });
  const { body: own, told } = await renderTest({
    ...base,
    templates: { "pages/test": "{% nav main %}" },
    request: { visitor },
  });
  assert.ok(own.includes("Members"));
  assert.ok(told.isPrivate);
});

test("TMPL-21 pagination and breadcrumbs print accessible markup, and a partial of the same name replaces them", async () => {
  const list =
    '{{ request.query.region }}{% query l from "walks", limit: 1, page: request.query.page %}{% pagination l %}';
  const query = new Map([
    ["page", "2"],
    ["region", "n"],
    ["utm", "x"],
  ]);
  const body = await printed(list, { ...base, request: { path: "/walks", query } });
  assert.ok(body.includes('<a href="/walks?region=n" rel="prev">Previous</a>'), body);
  assert.ok(body.includes('href="/walks?region=n&amp;page=2" aria-current="page"'), body);
  assert.ok(!body.includes("utm"));
  const partial = { "partials/pagination": "{{ page }}/{{ pages }} {{ prev }}" };
  assert.equal(
    await printed(list, { ...base, request: { path: "/w", query: new Map([["page", "2"]]) }, templates: partial }),
    "2/2 /w",
  );
  const values = { object: { collection: "walks", id: "a" } };
  const crumbs = await printed("{% breadcrumbs %}", { ...base, values, request: { path: "/walks/a" } });
  assert.equal(
    crumbs,
    '<nav aria-label="Breadcrumbs" class="breadcrumbs"><ol><li><a href="/">Home</a></li><li><a href="/walks">Walks</a></li>' +
      '<li><a href="/walks/a" aria-current="page">Alpha &lt;b&gt;</a></li></ol></nav>',
  );
});

test("TMPL-22 head prints title, description, canonical, robots, Open Graph and JSON-LD; all values are escaped", async () => {
  const values = { object: { collection: "walks", id: "a" } };
  const request = {
    path: "/walks/a",
    query: new Map([
      ["page", "2"],
      ["utm", "x"],
    ]),
  };
  const body = await printed("{% head %}{{ request.query.page }}{{ request.query.utm }}", { ...base, values, request });
  assert.ok(body.includes("<title>Alpha &lt;b&gt; – Old Stones</title>"), body);
  assert.ok(body.includes('<link rel="canonical" href="https://stones.example/walks/a?page=2">'), body);
  assert.ok(
    body.includes(
      '<meta property="og:image" content="https://stones.example/imageworks/walks/a/cover.jpg?w=1200&amp;v=abc">',
    ),
    body,
  );
  assert.ok(body.includes('"@type":"Article"') && body.includes('"@type":"BreadcrumbList"'));
  assert.ok(body.includes('"headline":"Alpha \\u003cb\\u003e"'), body);
  const record = { id: "p", title: "P", route: "/p", noindex: true, head: { title: "Own", description: '"x"' } };
  const own = await printed("{% head %}", { ...base, values: { page: record } });
  assert.ok(
    own.includes("<title>Own</title>") && own.includes('content="noindex"') && own.includes("&quot;x&quot;"),
    own,
  );
});

test("TMPL-23 script and style are counted by hash, and values inside come through json alone", async () => {
  const templates = {
    "pages/test": '{% script %}let a = {{ "</script><b>" | json }};{% endscript %}{% style %}a{}{% endstyle %}',
  };
  const { rendered } = await renderTest({ templates });
  assert.ok(rendered.kind === "page");
  const code = 'let a = "\\u003c/script\\u003e\\u003cb\\u003e";';
  assert.equal(rendered.body, `<script>${code}</script><style>a{}</style>`);
  assert.deepEqual(rendered.scripts, [`sha256-${hash("sha256", code, "base64")}`]);
  assert.deepEqual(rendered.styles, [`sha256-${hash("sha256", "a{}", "base64")}`]);
  for (const text of ["{{ 1 }}", "{% echo 1 %}", '{{ "x" | escape }}', "{{ x | raw }}"])
    await assert.rejects(printed(`{% script %}${text}{% endscript %}`), /by the filter json alone/, text);
  assert.equal(await printed('<p data-x="{{ "<\'\\"" | json }}">'), '<p data-x="&quot;\\u003c&#39;\\&quot;&quot;">');
});

test("TMPL-24 redirect and abort end the page; header takes what is on the list", async () => {
  const end = async (text: string) => (await renderTest({ templates: { "pages/test": `a${text}b` } })).rendered;
  assert.deepEqual(await end('{% redirect "/x", 301 %}'), { kind: "redirect", target: "/x", status: 301 });
  assert.deepEqual(await end("{% abort 410 %}"), { kind: "abort", status: 410 });
  for (const target of ["//evil", "/\\\\evil", "javascript:x", "x", "/a b", "https:evil"])
    await assert.rejects(end(`{% redirect "${target}" %}`), /neither a path/, target);
  const { rendered } = await renderTest({
    templates: {
      "pages/test":
        '{% header "X-A", "b" %}{% header "Link", "</a>; rel=next" %}{% header "cache-control", "no-store" %}',
    },
  });
  assert.deepEqual(rendered.kind === "page" && rendered.headers, {
    "x-a": "b",
    link: "</a>; rel=next",
    "cache-control": "no-store",
  });
  for (const [name, value] of [
    ["set-cookie", "a"],
    ["content-security-policy", "x"],
    ["x-accel-redirect", "/data"],
    ["x-sendfile", "/x"],
    ["location", "/"],
    ["cache-control", "public, max-age=9"],
    ["x-a", "ü"],
  ])
    await assert.rejects(end(`{% header "${name}", "${value}" %}`), Error, name);
  await assert.rejects(end('{% capture v %}a\nb: c{% endcapture %}{% header "x-a", v %}'), /printable/);
});

test("TMPL-25 search looks in several collections, marks what it found, and finds nothing for one letter", async () => {
  const text =
    '{% search hits for request.query.q in "walks,people" %}{% for h in hits %}{{ h.collection }} {{ h.title }} {{ h.url }} {{ h.excerpt }};{% endfor %}';
  const ask = (q: string) => printed(text, { ...base, request: { query: new Map([["q", q]]) } });
  const found = await ask("stone");
  assert.ok(found.startsWith("walks Alpha &lt;b&gt; /walks/a"), found);
  assert.ok(found.includes("text of <mark>stones</mark>"), found);
  assert.equal(await ask("s"), "");
  assert.equal(
    await ask("ann"),
    "walks Alpha &lt;b&gt; /walks/a 2026-05-04 ann One text of stones Two One;people Ann /people/ann ;walks Beta /walks/b 2026-05-05 ann;"
      .replace("ann One", "<mark>ann</mark> One")
      .replace(/05 ann;/, "05 <mark>ann</mark>;"),
  );
});

test("TMPL-26 view gives the result of a data view that is open to the public", async () => {
  assert.equal(
    await printed('{% view v from "sales" %}{{ v.total }}{{ v.constructor }}', { views: { sales: { total: 3 } } }),
    "3",
  );
  assert.equal(await printed('{% view v from "none" %}[{{ v }}]'), "[]");
});

test("TMPL-30 image_tag prints size, sources and alternative text; a missing image prints nothing", async () => {
  const body = await printed(
    `${one}{{ w.cover | image_tag: widths: "400,800,1600", sizes: "50vw", class: "lead" }}`,
    base,
  );
  assert.equal(
    body,
    '<img src="/imageworks/walks/a/cover.jpg?w=1000&amp;v=abc" srcset="/imageworks/walks/a/cover.jpg?w=400&amp;v=abc 400w, ' +
      '/imageworks/walks/a/cover.jpg?w=800&amp;v=abc 800w, /imageworks/walks/a/cover.jpg?w=1000&amp;v=abc 1000w" sizes="50vw" ' +
      'width="1000" height="500" alt="A &quot;hill&quot;" class="lead" loading="lazy" decoding="async" style="background-color:#112233">',
  );
  assert.equal(
    await printed(
      '{% get w from "walks", "b" %}{{ w.cover | image_tag }}{{ w.photos | picture_tag }}{{ nil | image_url }}',
      base,
    ),
    "",
  );
  const cut = await printed(`${one}{{ w.cover | image_tag: widths: "400", ratio: "1:1" }}`, base);
  assert.ok(cut.includes("w=400&amp;h=400&amp;fit=cover") && cut.includes('width="400" height="400"'), cut);
  const first = await renderTest({
    ...base,
    templates: { "pages/test": `${one}{{ w.cover | image_tag: priority: true }}` },
  });
  assert.ok(first.body.includes('loading="eager"') && first.body.includes('fetchpriority="high"'));
  assert.match(
    (first.rendered.kind === "page" && first.rendered.headers.link) || "",
    /^<\/imageworks\/walks\/a\/cover.jpg.*rel=preload; as=image/,
  );
  assert.ok(
    (await printed(`${one}{{ w.photos | image_url: 300 }}`, base)).startsWith("/imageworks/walks/a/photos/b.jpg?w=300"),
  );
  const unknown = {
    ...base,
    isDevelopment: true,
    templates: { "pages/test": `${one}{{ w.cover | image_tag: widht: 3 }}` },
  };
  await assert.rejects(renderTest(unknown), /no parameter "widht". Did you mean/);
});

test("TMPL-31 picture_tag adds newer formats and other shapes for narrow screens", async () => {
  const body = await printed(`${one}{{ w.cover | picture_tag: widths: "400", art: "(max-width: 40rem) 1:1" }}`, base);
  assert.ok(
    body.startsWith(
      '<picture><source media="(max-width: 40rem)" type="image/avif" srcset="/imageworks/walks/a/cover.avif?w=400&amp;h=400',
    ),
    body,
  );
  assert.ok(body.includes('<source type="image/webp"') && body.endsWith("</picture>"));
  assert.equal(await printed(`${one}{{ w.cover | image_colors | join: " " }}`, base), "#112233 #445566");
});

test("TMPL-32 links: url, absolute_url, asset_url, with_query; files that are locked have no address", async () => {
  const text = `${one}{{ w | url }} {{ w.url }} {{ "walks" | url }} {{ w | absolute_url }} {{ "/css/a.css" | asset_url }} {{ "/a?b=1" | with_query: b: 2, c: "&" }}`;
  const assets = { "/css/a.css": "abc" };
  assert.equal(
    await printed(text, { ...base, assets }),
    "/walks/a /walks/a /walks https://stones.example/walks/a /css/a.css?v=abc /a?b=2&amp;c=%26",
  );
  assert.equal(
    await printed(
      `${one}{{ w.map | download_url }} {{ w.map | stream_url }} {{ w.map.storedAs }}{{ w.map.url }}`,
      base,
    ),
    "/download/walks/a/map /stream/walks/a/map ",
  );
  const closed = { ...base, collections: { people, walks: { ...walks, settings: { url: "/w" } } } };
  assert.equal(await printed(`${one}[{{ w.map | download_url }}]`, closed), "[]");
  const preview = {
    token: "t1",
    values: new Map(),
    templates: new Map(),
    showsDrafts: () => false,
    showsErrors: false,
  };
  assert.equal(
    await printed(`${one}{{ w | url }} {{ w.cover | image_url }}`, { ...base, request: { preview } }),
    "/walks/a?_preview=t1 /imageworks/walks/a/cover.jpg?v=abc&amp;_preview=t1",
  );
});

test("TMPL-33 object and related follow references in both directions", async () => {
  assert.equal(await printed(`${one}{% assign g = w.guide | object: "people" %}{{ g.name }}`, base), "Ann");
  const text =
    '{% get p from "people", "ann" %}{% assign l = p | related: "walks" %}{% for w in l %}{{ w.id }}{% endfor %}';
  assert.equal(await printed(text, base), "ab");
});

test("TMPL-34 markdown shows tags in a text as text; toc and headings_ids belong together; embed loads nothing by itself", async () => {
  assert.equal(
    (await printed('{{ "# A\n\n*b* <script>x</script> [c](javascript:d)" | markdown }}')).replaceAll("\n", ""),
    "<h1>A</h1><p><em>b</em> &lt;script&gt;x&lt;/script&gt; <a>c</a></p>",
  );
  assert.equal(await printed('{{ "*b*" | markdown_inline }}'), "<em>b</em>");
  const ids = await printed(`${one}{{ w.content | headings_ids }}`, base);
  assert.equal(ids, '<h2 id="one">One</h2><p>text of stones</p><h3 id="two">Two</h3><h2 id="one-2">One</h2>');
  const toc = await printed(`${one}{{ w.content | toc }}`, base);
  assert.equal(
    toc,
    '<nav class="toc" aria-label="Contents"><ol><li><a href="#one">One</a><ol><li><a href="#two">Two</a></li></ol></li><li><a href="#one-2">One</a></li></ol></nav>',
  );
  const video = await printed('{{ "https://youtu.be/abcdefgh" | embed: title: "<T>" }}');
  assert.ok(
    video.startsWith(
      '<details class="embed"><summary>&lt;T&gt;</summary><iframe src="https://www.youtube-nocookie.com/embed/abcdefgh"',
    ),
    video,
  );
  assert.equal(
    await printed('{{ "https://vimeo.com/12345" | embed }}{{ "javascript:x" | embed }}'),
    '<a href="https://vimeo.com/12345" rel="noopener">Video</a>',
  );
});

test("TMPL-35 dates follow the zone and language of the site; a calendar day is never shifted", async () => {
  const date = (text: string, timezone: string, locale = "en") => printed(text, { timezone, request: { locale } });
  assert.equal(await date('{{ "2026-05-04" | date: "%d %B %Y" }}', "America/New_York"), "04 May 2026");
  assert.equal(
    await date('{{ "2026-05-04T23:30:00Z" | date: "%Y-%m-%d %H:%M %z" }}', "Europe/Berlin"),
    "2026-05-05 01:30 +0200",
  );
  assert.equal(
    await date('{{ "2026-05-04" | date: "long" }} {{ "2026-05-04" | date: "%-d. %B" }}', "UTC", "de"),
    "4. Mai 2026 4. Mai",
  );
  assert.equal(
    await date(
      '{{ "2026-05-04T10:00:00Z" | date: "iso" }} {{ "2026-05-04T10:00:00Z" | date: "rfc822" }}',
      "Europe/Berlin",
    ),
    "2026-05-04T12:00:00+02:00 Mon, 04 May 2026 12:00:00 +0200",
  );
  assert.equal(await date('{{ "14:30" | time }}{{ "no date" | date: "%Y" }}', "UTC", "de"), "14:30no date");
});

test("TMPL-36 t finds texts by language with plural forms and arguments; localize picks a language", async () => {
  const words = {
    en: { hi: "Hi {name}", walks: { one: "{count} walk", other: "{count} walks" }, only: "English" },
    de: { hi: "Hallo {name}" },
  };
  const say = (text: string, locale = "de") => printed(text, { ...base, words, request: { locale } });
  assert.equal(await say('{{ "hi" | t: name: "<Ann>" }}'), "Hallo &lt;Ann&gt;");
  assert.equal(await say('{{ "only" | t }} {{ "none.x" | t }}'), "English none.x");
  assert.equal(await say('{{ "walks" | t: count: 1 }} {{ "walks" | t: count: 2 }}', "en"), "1 walk 2 walks");
  assert.equal(await say(`${one}{{ w.words }} {{ w.words | localize: "en" }} {{ w.words.en }}`), "Hallo Hello Hello");
  assert.equal(
    await say('{{ 1234.5 | number: 2 }} {{ 3 | price: "EUR" }} {{ 1500000 | filesize }}'),
    "1.234,50 3,00\u00a0€ 1,5 MB",
  );
});

test("TMPL-37 lists: where_any, group_by, key_by, sum, avg, csv, json; debug is for development", async () => {
  const list = '{% query l from "walks" %}';
  assert.equal(
    await printed(
      `${list}{% assign n = l | where_any: "regions", "south,east" %}{{ n | map: "id" | join: "," }}`,
      base,
    ),
    "b",
  );
  assert.equal(
    await printed(
      `${list}{% assign g = l | group_by: "guide" %}{{ g.first.name }} {{ g.first.items.size }} {{ l | sum: "length" }} {{ l | avg: "length" }}`,
      base,
    ),
    "ann 2 20 10",
  );
  assert.equal(await printed(`${list}{% assign k = l | key_by: "id" %}{{ k["b"].title }}`, base), "Beta");
  assert.equal(
    await printed(`${list}{{ l | csv: "id,title" }}`, { ...base, values: { kind: "csv" } }),
    "id,title\r\na,Alpha <b>\r\nb,Beta\r\n",
  );
  assert.equal(await printed(`${list}{{ l.last | debug }}`, base), "");
  assert.equal(
    await printed(
      '{{ "a b c" | truncate_words: 2 }} {{ "Ann Bee" | initials }} {{ "Tü x" | slug }} {{ 2 | pluralize: "walk" }} {{ "a@b.de" | obfuscate_email | strip_html }}',
    ),
    "a b… AB tu-x 2 walks a@b.de",
  );
  assert.equal(await printed('{{ "one two three four" | excerpt: 9 }} {{ "a b" | readtime }}'), "one two… 1");
});
