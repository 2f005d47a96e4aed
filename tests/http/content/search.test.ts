// Full-text search on list, query and index.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: {
      title: { type: "string", field: "text" },
      body: { type: "string", field: "textarea" },
      tags: { type: "list", field: "list" },
      rank: { type: "number", field: "number" },
      hidden: { type: "string", field: "text" },
      pin: { type: "password", field: "password" },
    },
    required: ["id"],
    index: ["id", "title", "body", "tags", "rank"],
  });
  await server.makeCollection({ id: "notes", schema: "note" });
  const notes = [
    { id: "table", title: "Wooden table", body: "Four legs, seats six", tags: ["furniture"], rank: 1 },
    { id: "soup", title: "Vegetable soup", body: "Set the table first", rank: 2, pin: "correct-horse" },
    { id: "cafe", title: "Café Müller", body: "A place with Crème brûlée", tags: ["food", "e-mail"], rank: 3 },
    { id: "tokyo", title: "東京タワー", body: "観光地", rank: 4, hidden: "zanzibar" },
    { id: "plain", title: "Untitled", rank: 5 },
    { id: "thai", title: "สวัสดีครับ", body: "नमस्ते दुनिया", rank: 6 },
    {
      id: "greek",
      title: "Σίσυφος",
      body: "<p>H<sub>2</sub>O, <b>g</b>ulp</p><ul><li>up</li><li>hill</li></ul>",
      rank: 7,
    },
    { id: "long", title: "Saga", body: `${"etwas anderes ".repeat(9_000)} ganz am Ende`, rank: 8 },
  ];
  for (const body of notes) await server.request("POST", "/api/collections/notes", { body });
});

after(() => server.stop());

const search = (text: string, more = "") =>
  server.request("GET", `/api/collections/notes?search=${encodeURIComponent(text)}${more}`);
const idsOf = (answer: Answer): string[] => answer.body.data.map((object: { id: string }) => object.id);
const found = async (text: string) => idsOf(await search(text)).sort();

test("SEA-1 all words must occur, in any property", async () => {
  assert.deepEqual(await found("wooden furniture"), ["table"]);
  assert.deepEqual(await found("wooden soup"), []);
});

test("SEA-2 a word is matched from its beginning", async () => {
  assert.deepEqual(await found("tab"), ["soup", "table"]);
  assert.deepEqual(await found("able"), []);
  assert.deepEqual(await found("veg"), ["soup"]);
});

test("SEA-3 a phrase must occur literally", async () => {
  assert.deepEqual(await found('"the table"'), ["soup"]);
  assert.deepEqual(await found('"table the"'), []);
  assert.deepEqual(await found("e-mail"), ["cafe"]);
});

test("SEA-3 a phrase is found at the end of a long text", async () => {
  assert.deepEqual(await found('"ganz am Ende"'), ["long"]);
  assert.deepEqual(await found('"am ganz"'), []);
});

test("SEA-4 or makes one term enough", async () => {
  assert.deepEqual(await found("wooden or soup"), ["soup", "table"]);
});

test("SEA-5 and is ignored; only and, or and signs find nothing; an empty search is none", async () => {
  assert.deepEqual(await found("wooden and table"), ["table"]);
  for (const text of ["and", "or", "and or", "!!!"]) assert.deepEqual(await found(text), [], text);
  assert.equal((await found("")).length, 8);
});

test("SEA-6 case and accents make no difference", async () => {
  for (const text of ["cafe", "CAFÉ", "muller", "creme brulee"]) assert.deepEqual(await found(text), ["cafe"], text);
  for (const text of ["σισυφοσ", "ΣΊΣΥΦΟΣ", "ΣΊΣ"]) assert.deepEqual(await found(text), ["greek"], text);
});

test("FLD-60 tags within a word do not split it, other tags do", async () => {
  for (const text of ["h2o", "gulp", "hill"]) assert.deepEqual(await found(text), ["greek"], text);
  assert.deepEqual(await found("uphill"), []);
});

test("SEA-7 the best match comes first, unless sort says otherwise", async () => {
  assert.deepEqual(idsOf(await search("table")), ["table", "soup"]);
  assert.deepEqual(idsOf(await search("table", "&sort=rank&order=desc")), ["soup", "table"]);
});

test("SEA-8 search, filters and sort combine", async () => {
  assert.deepEqual(idsOf(await search("table", "&filter[rank][gt]=1")), ["soup"]);
  const query = "/api/collections/notes/query?search=table&include=rank:1";
  assert.deepEqual(idsOf(await server.request("GET", query)), ["table"]);
  const index = "/api/collections/notes/index?search=table&sort=-rank";
  assert.deepEqual(idsOf(await server.request("GET", index)), ["soup", "table"]);
});

test("SEA-9 a search that is too long is refused at once (T11)", async () => {
  const ask = async () => {
    for (const text of [`${"a".repeat(1_001)}!`, `${"a".repeat(15_000)}!`, "ab ".repeat(17)])
      assert.equal((await search(text)).status, 400);
    for (const text of ["a".repeat(1_000), '"'.repeat(900), "a* OR (b", "NEAR(a b)", "title:x", "'; --", "a:*|!b"])
      assert.equal((await search(text)).status, 200, text);
  };
  assert.ok((await leastTime(2_000, ask)) < 2_000);
});

test("SEA-10 no search finds a password, nor text that is not indexed (T2)", async () => {
  for (const text of ["correct-horse", "correct", "argon2id", "$argon2id$v=19", "m=19456"])
    assert.deepEqual((await search(text)).body, { data: [] }, text);
  assert.deepEqual(await found("zanzibar"), []);
});

test("SEA-11 any part of a text without spaces is found", async () => {
  for (const text of ["東京", "京タ", "タワー", "観光"]) assert.deepEqual(await found(text), ["tokyo"], text);
  for (const text of ["สวัส", "ครับ", "ดีค"]) assert.deepEqual(await found(text), ["thai"], text);
});

test("SEA-2 signs above and below letters are part of their words", async () => {
  for (const text of ["नमस्ते", "नम", "दुनि"]) assert.deepEqual(await found(text), ["thai"], text);
  for (const text of ["ते", "निया", "दनय", "ครบ"]) assert.deepEqual(await found(text), [], text);
});

test("FLD-64 a change of a number leaves the words, and its list and filter show it", async () => {
  const notes = "/api/collections/notes";
  const find = async (query: string) =>
    (await server.request("GET", `${notes}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  await server.request("POST", notes, { body: { id: "kept", title: "Quokka", body: "Marsupial", rank: 400 } });
  await server.request("PATCH", `${notes}/kept`, { body: { rank: 500 } });
  assert.deepEqual(await find("search=marsupial"), ["kept"]);
  assert.deepEqual([await find("filter[rank]=500"), await find("filter[rank]=400")], [["kept"], []]);
  await server.request("PATCH", `${notes}/kept`, { body: { hidden: "other" } });
  await server.request("PATCH", `${notes}/kept`, { body: { rank: 501, body: "Macropod" } });
  assert.deepEqual([await find("search=macropod"), await find("search=marsupial")], [["kept"], []]);
  assert.deepEqual(await find("filter[rank]=501"), ["kept"]);
  await server.request("DELETE", `${notes}/kept`);
});
