// Query and index: entries of indexed properties, columns, formats.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "film",
    properties: {
      title: { type: "string", field: "text" },
      year: { type: "number", field: "number" },
      seen: { type: "boolean", field: "toggle" },
      genres: { type: "list", field: "list" },
      plot: { type: "string", field: "textarea" },
      code: { type: "password", field: "password" },
    },
    required: ["id"],
    index: ["id", "title", "year", "seen", "genres"],
  });
  await server.makeCollection({ id: "films", schema: "film" });
  const films = [
    {
      id: "alien",
      title: "Alien",
      year: 1979,
      seen: true,
      genres: ["horror", "space"],
      plot: "A ship.",
      code: "x-secret",
    },
    { id: "brazil", title: 'Brazil, or "1984½"', year: 1985, genres: [] },
    { id: "cube", title: '=HYPERLINK("x")', year: -5, seen: false },
    { id: "dune", title: "<img src=x onerror=alert(1)>", year: 1984, genres: ["space"] },
  ];
  for (const body of films) await server.request("POST", "/api/collections/films", { body });
});

after(() => server.stop());

const query = (parameters: string) => server.request("GET", `/api/collections/films/query?${parameters}`);
const idsOf = (answer: Answer): string[] => answer.body.data.map((entry: { id: string }) => entry.id);
const ids = async (parameters: string) => idsOf(await query(parameters));

test("QRY-1 an entry holds the id, the indexed properties and the times, in this order", async () => {
  const { body } = await query("filter[id]=alien");
  assert.deepEqual(Object.keys(body.data[0]), ["id", "title", "year", "seen", "genres", "created", "modified"]);
  assert.deepEqual(body.data[0].genres, ["horror", "space"]);
});

test("QRY-2 the pagination has total, count and pages", async () => {
  assert.deepEqual((await query("limit=3&sort=shuffle")).body.meta, {
    pagination: { total: 4, count: 3, per_page: 3, current_page: 1, total_pages: 2 },
  });
  const second = (await query("limit=3&offset=3")).body.meta.pagination;
  assert.deepEqual([second.count, second.current_page], [1, 2]);
  const none = (await query("filter[title]=nothing")).body.meta.pagination;
  assert.deepEqual(none, { total: 0, count: 0, per_page: 20, current_page: 1, total_pages: 1 });
  assert.equal((await query("limit=500")).body.meta.pagination.per_page, 100);
  assert.equal((await query("limit=0")).status, 400);
});

test("QRY-3 the order is by id, or as sort says, ascending unless it says otherwise", async () => {
  assert.deepEqual(await ids(""), ["alien", "brazil", "cube", "dune"]);
  assert.deepEqual(await ids("sort=year"), ["cube", "alien", "dune", "brazil"]);
  assert.deepEqual(await ids("sort=-year&order=asc"), ["brazil", "dune", "alien", "cube"]);
  assert.deepEqual(await ids("sort=seen:desc,year:desc&filter[seen][in]=true|false"), ["alien", "cube"]);
});

test("QRY-4 bare names in include choose the columns", async () => {
  const { body } = await query("include=year,title&limit=1");
  assert.deepEqual(Object.keys(body.data[0]), ["id", "year", "title"]);
});

test("QRY-5 bare names in exclude leave columns out", async () => {
  const { body } = await query("exclude=genres,created,modified&limit=1");
  assert.deepEqual(Object.keys(body.data[0]), ["id", "title", "year", "seen"]);
});

test("QRY-6 clauses and bare names can be combined", async () => {
  const { body } = await query("include=title,year:gt:1980&exclude=year:1985");
  assert.deepEqual(body.data, [{ id: "dune", title: '<img src="x" />' }]);
});

test("QRY-7 columns that are not indexed are refused by name", async () => {
  for (const parameters of ["include=plot", "exclude=plot", "include=title,nothing"]) {
    const { status, body } = await query(parameters);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, [parameters.slice(0, 7)]], parameters);
  }
  const { status, body } = await query(`include=${encodeURIComponent("year=1985")}`);
  assert.deepEqual([status, body.error.message], [400, 'Write the condition "year=1985" as "year:1985".']);
});

test("LST-15 no column and no clause reaches a password (T1) (T3)", async () => {
  const attempts = ["include=code", "include=title,code", "exclude=code:x", "include=code:starts:$argon", "sort=code"];
  for (const format of ["json", "csv", "html"])
    for (const attempt of [...attempts, "filter[code]=x", "include=Code", "include=films.code"]) {
      const { status, text } = await query(`format=${format}&${attempt}`);
      assert.equal(status, 400, attempt);
      assert.doesNotMatch(text, /argon/);
    }
  for (const path of ["query", "query?format=csv", "query?format=html", "index"])
    assert.doesNotMatch((await server.request("GET", `/api/collections/films/${path}`)).text, /argon|x-secret|code/);
});

test("FIL-14 clauses of include must all hold; a value may hold colons", async () => {
  assert.deepEqual(await ids("include=genres:space,year:lt:1980"), ["alien"]);
  assert.deepEqual(await ids("include=seen:true"), ["alien"]);
  assert.deepEqual(await ids("include=title:a:b"), []);
});

test("FIL-15 exclude removes whatever one of its clauses matches", async () => {
  assert.deepEqual(await ids("exclude=genres:space,year:1985"), ["cube"]);
  assert.deepEqual(await ids("include=genres:space&exclude=seen:true"), ["dune"]);
  assert.deepEqual(await ids("exclude=seen:true"), ["brazil", "cube", "dune"]);
});

test("FIL-18 include and exclude take empty", async () => {
  assert.deepEqual(await ids("include=seen:empty:true"), ["brazil", "dune"]);
  assert.deepEqual(await ids("exclude=seen:empty:true"), ["alien", "cube"]);
  const refused = await server.request("GET", "/api/collections/films/query?exclude=seen:empty:no");
  assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["exclude"]]);
});

test("FIL-16 query and index filter and sort by every property, and show indexed ones", async () => {
  for (const parameters of ["filter[plot]=a ship.", "include=plot:starts:a", "sort=plot&limit=1"]) {
    const address = encodeURI(parameters);
    assert.deepEqual(await ids(address), ["alien"], parameters);
    const index = await server.request("GET", `/api/collections/films/index?${address}`);
    assert.equal(index.body.data[0].id, "alien");
    assert.equal("plot" in index.body.data[0], false);
  }
  for (const parameters of ["include=plot", "exclude=plot", "filter[nothing]=x", "sort=nothing", "sort=code"])
    assert.equal((await query(parameters)).status, 400, parameters);
});

test("QRY-8 the format is one of three", async () => {
  const { status, body } = await query("format=xml");
  assert.deepEqual([status, Object.keys(body.error.details)], [400, ["format"]]);
});

test("QRY-9, QRY-10, QRY-11, QRY-12 a query as CSV (T22)", async () => {
  const { headers, text } = await query("format=csv");
  assert.match(headers.get("content-type") ?? "", /^text\/csv/);
  assert.match(headers.get("content-disposition") ?? "", /attachment; filename="collection-films.csv"/);
  assert.deepEqual(text.split("\r\n"), [
    "id,title,year,seen,genres",
    'alien,Alien,1979,true,"[""horror"",""space""]"',
    'brazil,"Brazil, or ""1984½""",1985,,[]',
    'cube,"\'=HYPERLINK(""x"")",-5,false,',
    'dune,"<img src=""x"" />",1984,,"[""space""]"',
    "",
  ]);
});

test("QRY-9 CSV has the chosen columns, and a header without rows", async () => {
  assert.equal((await query("format=csv&include=year,created&limit=1")).text.split("\r\n")[0], "id,year,created");
  assert.equal((await query("format=csv&filter[year]=1")).text, "id,title,year,seen,genres\r\n");
});

test("QRY-13 HTML is a table with everything escaped, where nothing may run (T21)", async () => {
  const { headers, text } = await query("format=html");
  assert.match(headers.get("content-type") ?? "", /^text\/html/);
  assert.match(text, /<td>&lt;img src=&quot;x&quot; \/&gt;<\/td>/);
  assert.doesNotMatch(text, /<img/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.doesNotMatch(headers.get("content-security-policy") ?? "", /unsafe-inline/);
});

test("QRY-14 a template renders each entry; its output is escaped (T21)", async () => {
  const template = '<li class="{{ collection }}">{{ object.title }} ({{ object.year }}){{ object.plot }}</li>';
  const made = await server.request("POST", "/api/templates", { body: { id: "templates/row", template } });
  assert.equal(made.status, 201, made.text);
  const { status, text, headers } = await query("format=html&template=templates/row&sort=-year&limit=2");
  assert.equal(status, 200);
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.match(headers.get("link") ?? "", /rel="next"/);
  const rendered =
    '<li class="films">Brazil, or &#34;1984½&#34; (1985)</li><li class="films">&lt;img src=&#34;x&#34; /&gt; (1984)</li>';
  assert.equal(text, rendered);
  for (const name of ["row", "../templates/row", "templates", "templates/row.liquid", ""]) {
    const answer = await query(`format=html&template=${name}`);
    if (name === "") assert.match(answer.text, /<table>/);
    else assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, ["template"]], name);
  }
  assert.equal((await query("template=nothing")).status, 200);
});

test("LST-11 a query gives its cursor in the pagination", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { body }: Answer = await query(`limit=1&sort=-year${cursor ? `&cursor=${cursor}` : ""}`);
    seen.push(...body.data.map((entry: { id: string }) => entry.id));
    cursor = body.meta.pagination.next_cursor;
  } while (cursor);
  assert.deepEqual(seen, ["brazil", "dune", "alien", "cube"]);
});

test("QRY-15 the index holds all entries, and can be filtered, sorted, searched", async () => {
  const index = async (parameters: string) =>
    idsOf(await server.request("GET", `/api/collections/films/index?${parameters}`));
  assert.deepEqual(await index(""), ["alien", "brazil", "cube", "dune"]);
  assert.deepEqual(await index("sort=-year&include=genres:space"), ["dune", "alien"]);
  assert.deepEqual(await index("search=braz"), ["brazil"]);
  const { body } = await server.request("GET", "/api/collections/films/index?include=year");
  assert.deepEqual(body.data[0], { id: "alien", year: 1979 });
  assert.deepEqual((await server.request("GET", "/api/collections/playground/index")).body, { data: [] });
});

test("QRY-15 a large index arrives whole", async () => {
  await server.makeCollection({ id: "archive", schema: "film" });
  const lines = Array.from({ length: 1_203 }, (_, n) => ({ id: `f${n}`, title: `Film ${n}`, year: n }));
  await Promise.all(lines.map((body) => server.request("POST", "/api/collections/archive", { body })));
  const { body } = await server.request("GET", "/api/collections/archive/index?sort=year");
  assert.deepEqual(
    body.data.map(({ year }: { year: number }) => year),
    lines.map(({ year }) => year),
  );
});

test("QRY-16 PUT rebuilds the index and answers with it", async () => {
  const before = await server.request("GET", "/api/collections/films/index");
  const rebuilt = await server.request("PUT", "/api/collections/films/index");
  assert.deepEqual([rebuilt.status, rebuilt.body], [200, before.body]);
});
