import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "#base/errors.ts";
import { leastTime } from "#base/patience.fixture.ts";
import type { Json } from "#contract/json.ts";
import { checkModule, type Host, runModule, SandboxError } from "./run-module.ts";

const host: Host = {
  "things.get": async (...args: Json[]) => ({ args }),
  "things.fail": async () => {
    throw new CairnError("not-found", "There is no such thing.", { id: ["unknown"] });
  },
  "things.break": async () => {
    throw new Error("a secret of the server");
  },
  never: () => new Promise(() => {}),
};

function run(body: string, more: { timeLimit?: number; memoryLimit?: number; host?: Host } = {}) {
  const source = `export default async (ctx) => { ${body} }`;
  return runModule({ source, timeLimit: 10, memoryLimit: 32, data: { args: { a: 1 } }, host, ...more });
}

async function reasonOf(work: Promise<unknown>): Promise<{ reason: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SandboxError) return { reason: error.reason, message: error.message };
    throw error;
  }
  throw new Error("it did not fail");
}

test("ATM-32 a handler is given data and host functions, and its value comes back", async () => {
  const { result } = await run("return [ctx.args, await ctx.things.get('x', 2)]");
  assert.deepEqual(result, [{ a: 1 }, { args: ["x", 2] }]);
  assert.equal((await run("")).result, null);
  const sync = await runModule({ source: "export default () => 5", timeLimit: 5, memoryLimit: 32, data: {}, host });
  assert.equal(sync.result, 5);
});

test("ATM-33 an error of a host function can be caught, and says no more than it may", async () => {
  const caught = "try { await ctx.things.NAME() } catch (e) { return [e.message, e.code, e.details ?? null] }";
  assert.deepEqual((await run(caught.replace("NAME", "fail"))).result, [
    "There is no such thing.",
    404,
    { id: ["unknown"] },
  ]);
  assert.deepEqual((await run(caught.replace("NAME", "break"))).result, [
    "Something went wrong on the server.",
    500,
    null,
  ]);
  const { message } = await reasonOf(run("await ctx.things.fail()"));
  assert.equal(message, 'Error: There is no such thing. {"id":["unknown"]}');
});

test("ATM-36 log lines are kept one by one, also of a run that fails", async () => {
  const lines: string[] = [];
  const source = "export default (ctx) => { ctx.log('a', { b: 1 }); console.error('c'); throw new Error('no') }";
  const work = runModule({
    source,
    timeLimit: 5,
    memoryLimit: 32,
    data: {},
    host,
    onLog: ({ level, line }) => lines.push(`${level} ${line}`),
  });
  assert.deepEqual(await reasonOf(work), { reason: "threw", message: "Error: no (handler.js:1:80)" });
  assert.deepEqual(lines, ['info a {"b":1}', "error c"]);
});

test("ATM-38 there is nothing to reach beside ctx", async () => {
  const names = ["process", "require", "fetch", "setTimeout", "WebAssembly", "Worker", "Deno", "std", "os", "module"];
  const { result } = await run(
    `return ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== "undefined")`,
  );
  assert.deepEqual(result, []);
  for (const specifier of ["node:fs", "fs", "./x.js", "file:///etc/passwd", "data:text/javascript,1"]) {
    const { message } = await reasonOf(run(`await ${"import"}(${JSON.stringify(specifier)})`));
    assert.match(message, /could not load module/);
  }
  const reach = "return ctx.things.get.constructor('return typeof process + typeof require')()";
  assert.equal((await run(reach)).result, "undefinedundefined");
  const chain = "return ctx.log.constructor.constructor('return typeof globalThis.process')()";
  assert.equal((await run(chain)).result, "undefined");
});

test("ATM-38 keys that could reach a prototype do not cross the border", async () => {
  const { message } = await reasonOf(run(`await ctx.things.get(JSON.parse('{"__proto__": {"x": 1}}'))`));
  assert.match(message, /__proto__/);
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test("ATM-39 a handler that does not end is ended, whatever it does", async () => {
  for (const body of [
    "for (;;);",
    "for (;;) await null;",
    "/^(a+)+$/.test('a'.repeat(50) + 'b')",
    "await ctx.never()",
    "for (;;) { try { ctx.things.get('x') } catch {} }",
  ]) {
    const end = async () => assert.equal((await reasonOf(run(body, { timeLimit: 0.5 }))).reason, "timeout", body);
    assert.ok((await leastTime(5_000, end)) < 5_000, body);
  }
});

test("ATM-40 a handler that takes too much memory fails, and the process does not grow with it", async () => {
  const before = process.memoryUsage().rss;
  for (const body of [
    "const all = []; for (;;) all.push(new Array(10000).fill(7))",
    "const all = []; for (;;) all.push('x'.repeat(100000) + all.length)",
    "let all = null; for (;;) all = { all }",
    "const all = []; for (;;) { try { for (;;) all.push(new Uint8Array(1000000)) } catch { all.push({}) } }",
  ]) {
    const timeLimit = body.includes("catch") ? 5 : 60;
    const { reason } = await reasonOf(run(body, { memoryLimit: 32, timeLimit }));
    assert.ok(["memory", "timeout"].includes(reason), `${reason}: ${body}`);
    if (!body.includes("catch")) assert.equal(reason, "memory", body);
  }
  assert.ok(process.memoryUsage().rss - before < 200_000_000);
  assert.equal((await run("return 1")).result, 1);
});

test("ATM-41 a promise that nothing settles, bad results and recursion end the run", async () => {
  const cases: [string, string][] = [
    ["await new Promise(() => {})", "timeout"],
    ["return 'x'.repeat(5e6)", "result"],
    ["const a = {}; a.a = a; return a", "result"],
    ["return 10n", "result"],
    ["const f = () => f() + 1; return f()", "threw"],
    ["throw { a: 1 }", "threw"],
    ["throw null", "threw"],
    ["throw undefined", "threw"],
    ["throw new Error('the printer is out of memory')", "threw"],
  ];
  for (const [body, expected] of cases) assert.equal((await reasonOf(run(body))).reason, expected, body);
  const topLevel = { source: "throw null; export default 1", timeLimit: 5, memoryLimit: 32, data: {}, host: {} };
  assert.deepEqual(await reasonOf(runModule(topLevel)), { reason: "threw", message: "The handler threw null." });
});

test("ATM-41 calls and log lines have an end, and other work goes on meanwhile", async () => {
  let most = 0;
  for (let tries = 0; tries < 5 && most <= 20; tries += 1) {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const lines: unknown[] = [];
    const flood = runModule({
      source: "export default (ctx) => { for (;;) ctx.log('x'.repeat(100000)) }",
      timeLimit: 1,
      memoryLimit: 32,
      data: {},
      host,
      onLog: (line) => lines.push(line),
    });
    const { reason } = await reasonOf(flood).finally(() => clearInterval(timer));
    assert.equal(reason, "timeout");
    assert.ok(lines.length <= 1_000);
    most = Math.max(most, turns);
  }
  assert.ok(most > 20, `${most} turns`);
  const many = await run(`let refused = 0;
    await Promise.all(Array.from({ length: 1000 }, () => ctx.things.get('x').catch(() => { refused += 1 })));
    return refused`);
  assert.equal(many.result, 1_000 - 64);
});

test("ATM-40 answers of host functions are not kept for the whole run", async () => {
  const large: Host = { large: async () => "x".repeat(20_000) };
  const body = "let sum = 0; for (let n = 0; n < 3000; n += 1) sum += (await ctx.large()).length; return sum";
  assert.equal((await run(body, { host: large, memoryLimit: 32, timeLimit: 60 })).result, 60_000_000);
});

test("ATM-42 nothing of one run is left for the next", async () => {
  await run("globalThis.left = 1; Array.prototype.left = 2; Object.prototype.left = 3");
  assert.deepEqual((await run("return [typeof left, typeof [].left, typeof {}.left]")).result, [
    "undefined",
    "undefined",
    "undefined",
  ]);
});

test("ATM-39 a run can be stopped from outside", async () => {
  const controller = new AbortController();
  const source = "export default async (ctx) => { await ctx.never() }";
  const work = runModule({ source, timeLimit: 30, memoryLimit: 32, data: {}, host, signal: controller.signal });
  const failed = reasonOf(work);
  await sleep(50);
  controller.abort();
  assert.equal((await failed).reason, "stopped");
});

test("ATM-41 many runs at a time wait for each other", async () => {
  const all = await Promise.all(Array.from({ length: 40 }, (_, at) => run(`return ${at}`)));
  assert.deepEqual(
    all.map(({ result }) => result),
    Array.from({ length: 40 }, (_, at) => at),
  );
});

test("ATM-2 a module is checked without being run", async () => {
  assert.equal(await checkModule("export default async () => 1; for (;;);"), undefined);
  assert.equal(await checkModule("const f = () => 1;\nexport { f as default };"), undefined);
  assert.match((await checkModule("export default async () => {\n  return 1 +;\n}")) ?? "", /SyntaxError.*line 2/);
  assert.equal(await checkModule("export const a = 1"), "The module has no default export.");
});
