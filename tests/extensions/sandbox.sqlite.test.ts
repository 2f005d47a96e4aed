// Extensions with the runtime `sandbox`: the same facade, and nothing else, whatever their code tries.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { repeats, type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const route = (name: string, method = "GET") => ({ name, method, path: `/${name}`, access: "public" });
const secret = "a-secret-of-the-server";
let server: Server;

before(async () => {
  server = await startServer({ env: { CAIRN_TEST_CANARY: secret }, settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({ id: "note", properties: { title: { type: "string", field: "text" } }, index: ["title"] });
  await server.makeCollection({ id: "notes", schema: "note" });
  const folder = join(server.dataDir, "extensions");
  writeExtension(folder, {
    id: "acme/boxed",
    manifest: {
      runtime: "sandbox",
      permissions: { collections: { notes: ["read", "create"] } },
      contributes: { routes: [route("hello"), route("refused"), route("throws"), route("loops"), route("fills")] },
    },
    files: {
      "lib/words.ts": "export const word: string = 'hello';",
      "index.ts": `import { word } from "./lib/words.ts";
        interface Call { as: any; actor: { kind: string }; query: Record<string, string> }
        export function register(cairn: any): void {
          cairn.route("hello", async (call: Call) => {
            const before = await cairn.store.get("count");
            await cairn.store.set("count", (before?.value ?? 0) + 1);
            await cairn.own.objects.create("notes", { id: "n" + (before?.value ?? 0), title: word });
            const denied = await call.as.objects.list("notes").catch((error: any) => error.status);
            const other = await cairn.own.objects.delete("notes", "n0").catch((error: any) => error.status);
            cairn.log.info("called");
            return { status: 201, headers: { "x-word": word }, body: { word, denied, other, kind: call.actor.kind } };
          });
          cairn.route("refused", async () => cairn.fail(422, "Not today.", { day: ["is wrong"] }));
          cairn.route("throws", async () => { throw new Error("inside"); });
          cairn.route("loops", async () => { for (;;); });
          cairn.route("fills", async () => { const all = []; for (;;) all.push("x".repeat(1e6) + all.length); });
        }`,
    },
  });
  const files = {
    "index.ts": `export function register(cairn) {
      cairn.route("run", (call) => new Function("cairn", "call", "return (async () => {" + call.body.code + "})()")(cairn, call));
    }`,
  };
  const manifest = { runtime: "sandbox", contributes: { routes: [route("run", "POST")] } };
  writeExtension(folder, { id: "acme/hostile", manifest, files });
  const contributes = { routes: [route("prototype")] };
  const own = `export function register(cairn) {
    cairn.route("prototype", async () => ({ body: Object.keys(Object.prototype) }));
  }`;
  writeExtension(folder, { id: "acme/looking", manifest: { contributes }, files: { "index.ts": own } });
  for (const id of ["acme/boxed", "acme/hostile", "acme/looking"]) await enableExtension(server, id);
  // Crashes are the point of these tests.
  await server.setSetting("environment", "development");
});
after(() => server.stop());

const call = (path: string) => server.request("GET", `/api/ext/${path}`, { key: null });
const run = (code: string) => server.request("POST", "/api/ext/acme/hostile/run", { key: null, body: { code } });

test("EXT-160 EXT-161 sandboxed code has the facade, its store and its own modules, within its permissions", async () => {
  const answer = await call("acme/boxed/hello");
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get("x-word"), "hello");
  assert.deepEqual(answer.body, { word: "hello", denied: 401, other: 403, kind: "anonymous" });
  assert.equal((await server.request("GET", "/api/collections/notes/n0")).body.data.title, "hello");
  const refused = await call("acme/boxed/refused");
  assert.deepEqual([refused.status, refused.body.error.details], [422, { day: ["is wrong"] }]);
});

test("EXT-164 no function leads to a host that the manifest does not name", async () => {
  const save =
    "return { body: await cairn.own.files.save('notes', 'n0', 'title', 'http://elsewhere.example/?secret') }";
  for (const code of [save, "return { body: await call.as.fetch('https://elsewhere.example/') }"]) {
    const { status, body } = await run(code);
    assert.equal(status, 403, code);
    assert.match(body.error.message, /permission "files"|may not call elsewhere\.example/);
  }
  const asCaller = "return { body: await call.as.files.save('notes', 'n0', 'title', 'http://elsewhere.example/') }";
  assert.match((await run(asCaller)).body.error.message, /may not call elsewhere\.example/);
});

test("EXT-162 sandboxed code that throws, loops or fills the memory fails its own call alone", async () => {
  // It takes its 30 seconds of a processor.
  const looping = repeats(0, 1) ? call("acme/boxed/loops") : undefined;
  for (const path of ["throws", "fills"]) {
    const answer = await call(`acme/boxed/${path}`);
    assert.deepEqual([answer.status, answer.body.error.message], [500, "The extension acme/boxed failed."]);
  }
  assert.equal((await call("acme/boxed/hello")).status, 201);
  if (looping !== undefined) assert.equal((await looping).status, 500);
});

/** Ways out that are known of other sandboxes, and answers that are meant to harm their reader. */
const attempts = [
  "return { body: typeof process === 'undefined' ? 'none' : process.env }",
  "return { body: this.constructor.constructor('return process.env')() }",
  "return { body: (async () => {}).constructor('return globalThis.process')() }",
  "return { body: await import('node:fs') }",
  "return { body: await import('./extension.json') }",
  "return { body: await import('cairn:facade') }",
  "return { body: Object.getOwnPropertyNames(globalThis) }",
  "const e = await cairn.own.objects.get('auth', 'x').catch((e) => e); return { body: e.constructor.constructor('return process')() }",
  "return { body: await cairn.own.objects.list('auth') }",
  "return { body: await call.as.objects.list('automations') }",
  "return { body: await cairn.own.objects.get('__proto__', 'constructor') }",
  "return { body: await cairn.own.fetch('http://127.0.0.1/') }",
  "return { body: await cairn.own.files.read('notes', '..', '..', '../../.system/site.key') }",
  "return { body: await cairn.own.render('{{ \"x\" | read_file }}', {}) }",
  "return { headers: { 'set-cookie': 'a=b', 'x-a\\r\\nx-b': 'c', 'content-length': '99999999' }, body: 'x' }",
  "return { status: 'NaN', headers: [], body: { toJSON: 1 } }",
  "return { status: 99999, body: 'x' }",
  'return JSON.parse(\'{"__proto__": {"polluted": 1}, "body": {"constructor": {"prototype": {"polluted": 1}}}}\')',
  "Object.prototype.polluted = 1; JSON.stringify = () => '{\"__proto__\":{\"polluted\":1}}'; return { body: 'x' }",
  "Promise.prototype.then = function () { return 1 }; return { body: 'x' }",
  "Array.prototype.push = () => { throw 1 }; Map.prototype.get = () => 1; return { body: [] }",
  "let deep = []; for (let i = 0; i < 1e4; i++) deep = [deep]; return { body: deep }",
  "return { body: 'x'.repeat(5e6) }",
  "return { body: new Proxy({}, { get() { throw new Error('x') }, ownKeys() { return ['a'] } }) }",
  "throw { message: { toString() { throw 1 } }, refusal: { status: 200 } }",
  "throw Object.assign(new Error('x'), { refusal: { status: 'x', message: {}, details: { a: { b: 1 } } } })",
  "for (let i = 0; i < 2e3; i++) cairn.log.info('x'.repeat(1e4)); return { body: 'x' }",
  "await Promise.all(Array.from({ length: 200 }, () => cairn.store.get('x'))); return { body: 'x' }",
  "for (let i = 0; i < 500; i++) await cairn.store.get('x'); return { body: 'x' }",
  "return { body: await cairn.store.set('../../x', { a: 'y'.repeat(2e6) }) }",
  "function f() { return f() + 1 } return { body: f() }",
  "return { body: new RegExp('(a+)+$').test('a'.repeat(18) + '!') }",
  "cairn.route('more', () => 1); return { body: 'x' }",
  "return { body: Reflect.ownKeys(call.as.objects.get) }",
  "return new Uint8Array(1e4)",
  "return { body: new Array(1e6) }",
  "return { then: 1, body: Symbol('x') }",
  "return { body: 1n }",
];

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = attempts.flatMap((one) => one.split(/(?<=[;{},()])/));
const words = [
  "cairn",
  "call",
  "this",
  "globalThis",
  "Object.prototype",
  "'__proto__'",
  "constructor",
  "null",
  "[]",
  "0",
];

/** An attempt with some of its pieces taken away, doubled, exchanged with those of others, or with other names in them. */
function mutate(random: (below: number) => number): string {
  const parts = (attempts[random(attempts.length)] as string).split(/(?<=[;{},()])/);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(parts.length);
    const other = pieces[random(pieces.length)] as string;
    const kind = random(4);
    if (kind === 0) parts.splice(at, 1);
    else if (kind === 1) parts.splice(at, 0, other);
    else if (kind === 2) parts[at] = other;
    else parts[at] = (parts[at] ?? "").replace(/\b[a-z]\w+\b/i, words[random(words.length)] as string);
  }
  return parts.join("");
}

test("EXT-163 no code gets out of the sandbox: known ways, and mutations of them", async () => {
  const random = numbers(7);
  const programs = [...attempts, ...Array.from({ length: repeats(40, 1_000) }, () => mutate(random))];
  const inGroups = Array.from({ length: Math.ceil(programs.length / 6) }, (_, at) =>
    programs.slice(6 * at, 6 * at + 6),
  );
  for (const group of inGroups) {
    const answers = await Promise.all(group.map(run));
    for (const [at, { status, text, headers }] of answers.entries()) {
      const about = `${group[at]}\n${status} ${text.slice(0, 500)}`;
      assert.ok(status < 500 || status === 500 || status === 503, about);
      assert.notEqual(status, 429, "every program runs");
      assert.ok(!text.includes(secret), about);
      assert.ok(!/"(?:pid|argv|execPath|mainModule)"|node:internal|\.system\//.test(text), about);
      assert.equal(headers.get("set-cookie"), null, about);
      assert.equal(headers.get("x-b"), null, about);
    }
  }
  assert.deepEqual((await call("acme/looking/prototype")).body, []);
  assert.equal((await server.request("GET", "/api/collections")).status, 200);
  const { body } = await server.request("GET", "/api/extensions/acme/hostile");
  assert.equal(body.data.state, "enabled");
  assert.ok(body.data.stats.calls >= programs.length, `${body.data.stats.calls} of ${programs.length} programs ran`);
});
