// The floor: what the same machine does with nothing but Fastify and prepared statements on SQLite.
// It answers the URLs of the benchmark with the same bytes, knows one collection, checks nothing, and is its own process.
//   node bench/floor.ts serve FILE COUNT     node bench/floor.ts import FILE JSON

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import fastify from "fastify";
import { type Article, makeArticle } from "./data.ts";

const [mode, file, source] = process.argv.slice(2) as [string, string, string];

const db = new DatabaseSync(file);
db.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
  PRAGMA cache_size = -32000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY;
  CREATE TABLE objects (rid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
  CREATE TABLE entries (rid INTEGER PRIMARY KEY, id TEXT, status TEXT, price REAL, published TEXT);
  CREATE INDEX entries_published ON entries (published, id);
  CREATE INDEX entries_status ON entries (status, price, id);
  CREATE VIRTUAL TABLE words USING fts5 (title, body, content = '', contentless_delete = 1);
`);

const statement = {
  get: db.prepare("SELECT doc FROM objects WHERE id = ?"),
  list: db.prepare(`SELECT doc FROM (SELECT rid, published, id FROM entries ORDER BY published DESC, id LIMIT 50 OFFSET ?) AS e
    JOIN objects USING (rid) ORDER BY e.published DESC, e.id`),
  filter:
    db.prepare(`SELECT doc FROM (SELECT rid, price, id FROM entries WHERE status = ? ORDER BY price, id LIMIT 50 OFFSET ?) AS e
    JOIN objects USING (rid) ORDER BY e.price, e.id`),
  or: db.prepare(`SELECT doc FROM (SELECT rid, price, id FROM entries WHERE status = ? OR price < ? ORDER BY price, id LIMIT 50
    OFFSET ?) AS e JOIN objects USING (rid) ORDER BY e.price, e.id`),
  countOr: db.prepare("SELECT count(*) AS total FROM entries WHERE status = ? OR price < ?"),
  countFilter: db.prepare("SELECT count(*) AS total FROM entries WHERE status = ?"),
  search:
    db.prepare(`SELECT doc FROM (SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50 OFFSET ?) AS w
    JOIN objects ON rid = w.rowid ORDER BY w.rank`),
  countSearch: db.prepare("SELECT count(*) AS total FROM words WHERE words MATCH ?"),
  insert: db.prepare("INSERT INTO objects (id, doc) VALUES (?, ?)"),
  insertEntry: db.prepare("INSERT INTO entries (rid, id, status, price, published) VALUES (?, ?, ?, ?, ?)"),
  insertWords: db.prepare("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)"),
  find: db.prepare("SELECT rid, doc FROM objects WHERE id = ?"),
  update: db.prepare("UPDATE objects SET doc = ? WHERE rid = ?"),
  updateEntry: db.prepare("UPDATE entries SET status = ?, price = ?, published = ? WHERE rid = ?"),
  deleteWords: db.prepare("DELETE FROM words WHERE rowid = ?"),
};

let total = 0;

/** What the benchmark's schema has indexed beside the title. */
function wordsOf({ id, tags, status, published }: Article): string {
  return `${id} ${tags.join(" ")} ${status} ${published}`;
}

function create(article: Article): string {
  const now = new Date().toISOString();
  const doc = JSON.stringify({ ...article, created: now, modified: now });
  const rid = statement.insert.run(article.id, doc).lastInsertRowid;
  statement.insertEntry.run(rid, article.id, article.status, article.price, article.published);
  statement.insertWords.run(rid, article.title, wordsOf(article));
  total += 1;
  return doc;
}

/** `hasText`: what was sent may bring other words. */
function patch(id: string, changes: Partial<Article>, hasText: boolean): string {
  const { rid, doc } = statement.find.get(id) as { rid: number; doc: string };
  const article: Article = { ...JSON.parse(doc), ...changes, modified: new Date().toISOString() };
  const text = JSON.stringify(article);
  statement.update.run(text, rid);
  statement.updateEntry.run(article.status, article.price, article.published, rid);
  if (!hasText) return text;
  statement.deleteWords.run(rid);
  statement.insertWords.run(rid, article.title, wordsOf(article));
  return text;
}

const queue: (() => void)[] = [];

/** `group`: what arrives in a turn of the event loop shares a commit; otherwise each write has its own. */
function write(isGrouped: boolean, work: () => string): string | Promise<string> {
  if (!isGrouped) {
    db.exec("BEGIN IMMEDIATE");
    const text = work();
    db.exec("COMMIT");
    return text;
  }
  return new Promise((done) => {
    let text = "";
    queue.push(() => {
      text = work();
      answers.push(() => done(text));
    });
    if (queue.length === 1) setImmediate(commit);
  });
}

let answers: (() => void)[] = [];

function commit(): void {
  answers = [];
  db.exec("BEGIN IMMEDIATE");
  for (const work of queue.splice(0)) work();
  db.exec("COMMIT");
  for (const answer of answers) answer();
}

async function serve(): Promise<void> {
  fill(Number(source));
  const app = fastify();
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("content-type", "application/json; charset=utf-8");
  });
  app.get<{ Params: { id: string } }>("/api/collections/bench/:id", (request, reply) => {
    const { doc } = statement.get.get(request.params.id) as { doc: string };
    reply.send(`{"data":${doc}}`);
  });
  app.get<{ Querystring: Record<string, string> }>("/api/collections/bench", (request, reply) => {
    const { search, offset = "0", fields, "filter[status]": status, "filter[or][0][status]": either } = request.query;
    const below = Number(request.query["filter[or][1][price][lt]"]);
    let rows: { doc: string }[];
    let count: unknown = total;
    if (search) {
      rows = statement.search.all(`${search}*`, Number(offset)) as typeof rows;
      count = statement.countSearch.get(`${search}*`)?.total;
    } else if (either) {
      rows = statement.or.all(either, below, Number(offset)) as typeof rows;
      count = statement.countOr.get(either, below)?.total;
    } else if (status) {
      rows = statement.filter.all(status, Number(offset)) as typeof rows;
      count = statement.countFilter.get(status)?.total;
    } else rows = statement.list.all(Number(offset)) as typeof rows;
    const docs = rows.map(({ doc }) => (fields ? pick(doc, fields.split(",")) : doc));
    reply.header("x-total-count", String(count)).send(`{"data":[${docs.join(",")}]}`);
  });
  app.post<{ Querystring: { commit?: string }; Body: Article }>("/api/collections/bench", async (request, reply) => {
    const text = await write(request.query.commit === "group", () => create(request.body));
    return reply.code(201).send(`{"data":${text}}`);
  });
  for (const name of ["bench", "texts"])
    app.patch<{ Params: { id: string }; Querystring: { commit?: string }; Body: Partial<Article> }>(
      `/api/collections/${name}/:id`,
      async (request, reply) => {
        const text = await write(request.query.commit === "group", () =>
          patch(request.params.id, request.body, name === "bench"),
        );
        return reply.send(`{"data":${text}}`);
      },
    );
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  console.log(`ready at ${url}`);
}

function pick(doc: string, fields: string[]): string {
  const article = JSON.parse(doc) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(["id", ...fields].map((name) => [name, article[name]])));
}

function fill(count: number): void {
  for (let n = 0; n < count; n += 1) {
    if (n % 1000 === 0) db.exec(n === 0 ? "BEGIN" : "COMMIT; BEGIN");
    create(makeArticle(n));
  }
  if (count > 0) db.exec("COMMIT; PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)");
}

/** The same file as Cairn imports, which has one object on each line. */
async function importFile(): Promise<void> {
  const started = performance.now();
  let count = 0;
  db.exec("BEGIN");
  for await (const line of createInterface({ input: createReadStream(source) })) {
    if (line.length < 3) continue;
    create(JSON.parse(line.replace(/^[[,]/, "").replace(/[\],]$/, "")) as Article);
    count += 1;
    if (count % 1000 === 0) db.exec("COMMIT; BEGIN");
  }
  db.exec("COMMIT");
  console.log(JSON.stringify({ rate: count / ((performance.now() - started) / 1000) }));
}

if (mode === "import") await importFile();
else await serve();
