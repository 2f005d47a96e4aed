// The log beside a model that knows nothing of it: random writes by every door, restores, deletions and returns, undos, erasure,
// prunes and sudden deaths. Each version must have the values that the model had then. On PostgreSQL two servers take turns.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { engine, type RequestOptions, repeats, type Server, startServer } from "../harness.ts";
import { connect } from "../mcp/tool-caller.ts";

type Values = Record<string, unknown>;

const names = ["title", "body", "count", "tags"] as const;
const ids = ["a", "b", "c"];
let first: Server;
let servers: Server[];

before(async () => {
  const settings = { api: { rateLimit: 0 } };
  first = await startServer({ settings });
  const field = (kind: string) => ({ field: kind });
  const properties = { title: field("text"), body: field("textarea"), count: field("number"), tags: field("list") };
  await first.makeSchema({ id: "note", properties, index: ["id", "title"] });
  servers = [first];
  if (engine === "sqlite") return;
  const CAIRN_DATABASE_URL = `${first.env.CAIRN_DATABASE_URL}?application_name=second`;
  servers.push(await startServer({ dataDir: first.dataDir, env: { CAIRN_DATABASE_URL } }));
});
after(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** One site of objects, and what they should be. */
class Life {
  readonly roll: (sides: number) => number;
  readonly collection: string;
  readonly now = new Map<string, Values>();
  /** By object: the values after each change, in their order. */
  readonly versions = new Map<string, Map<string, Values>>(ids.map((id) => [id, new Map()]));
  readonly erased = new Set<string>();

  constructor(seed: number) {
    this.roll = dice(seed);
    this.collection = `notes-${seed}`;
  }

  get objects(): string {
    return `/api/collections/${this.collection}`;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.roll(from.length)] as T;
  }

  /** By one of the servers, with the key of the first. */
  async send(method: string, path: string, options: RequestOptions = {}) {
    const answer = await this.pick(servers).request(method, path, { key: first.key, ...options });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body?.data;
  }

  whole(): Values {
    const { roll } = this;
    return { title: `T${roll(9)}`, body: `B${roll(9)}`, count: roll(9), tags: [`t${roll(9)}`, "x"] };
  }

  some(): Values {
    const kept = names.filter(() => this.roll(2) === 0);
    const whole = this.whole();
    return Object.fromEntries((kept.length > 0 ? kept : ["title"]).map((name) => [name, whole[name]]));
  }

  /** The object is now as it should be, and this is the version of its newest change. */
  async note(id: string, values: Values): Promise<string> {
    this.now.set(id, values);
    const [{ change }] = await this.send("GET", `/api/history/${this.collection}/${id}?limit=1`);
    this.versions.get(id)?.set(change, values);
    return change;
  }

  merge(id: string, values: Values): Promise<string> {
    return this.note(id, { ...this.now.get(id), ...values });
  }
}

type Step = (life: Life) => Promise<void>;

const steps: Record<string, Step> = {
  async patch(life) {
    const [id, body] = [life.pick(ids), life.some()];
    await life.send("PATCH", `${life.objects}/${id}`, { body });
    await life.merge(id, body);
  },
  async replace(life) {
    const [id, body] = [life.pick(ids), life.whole()];
    await life.send("PUT", `${life.objects}/${id}`, { body });
    await life.note(id, body);
  },
  async agent(life) {
    const [id, data] = [life.pick(ids), life.some()];
    const agent = await connect(life.pick(servers), { "x-api-key": first.key });
    await agent.ask("patch_object", { collection: life.collection, id, data });
    await life.merge(id, data);
  },
  async import(life) {
    const rows = ids.slice(life.roll(2)).map((id) => ({ id, ...life.whole() }));
    await life.send("POST", `/api/import/collections/${life.collection}/json?update=true`, { body: rows });
    for (const { id, ...values } of rows) await life.note(id, values);
  },
  async bulk(life) {
    const body = life.some();
    const some = ids.slice(life.roll(2));
    const order = { operation: "patch", ids: some, expect: some.length, body };
    const { done } = await life.send("POST", `/api/bulk/${life.collection}`, { body: order });
    assert.equal(done, some.length);
    for (const id of some) await life.merge(id, body);
  },
  async restore(life) {
    const id = life.pick(ids);
    const kept = [...(life.versions.get(id) ?? [])].filter(([change]) => !life.erased.has(change));
    const [change, values] = life.pick(kept);
    await life.send("POST", `/api/history/${life.collection}/${id}/${change}/restore`);
    await life.note(id, values);
  },
  async trash(life) {
    const id = life.pick(ids);
    const values = life.now.get(id) ?? {};
    await life.send("DELETE", `${life.objects}/${id}`);
    const deletion = await life.note(id, values);
    await life.send("POST", `/api/trash/${deletion}/restore`);
    await life.note(id, values);
  },
  /** What a key wrote goes back, except where another one wrote after it. */
  async undo(life) {
    const { id: key, key: secret } = await first.makeKey();
    const before = new Map(life.now);
    const theirs = new Map<string, Values>();
    for (const id of ids.slice(life.roll(2))) {
      const body = life.some();
      await life.send("PATCH", `${life.objects}/${id}`, { body, key: secret });
      await life.merge(id, body);
      theirs.set(id, body);
    }
    const [edited, own] = [life.pick(ids), life.some()];
    await life.send("PATCH", `${life.objects}/${edited}`, { body: own });
    const differing = Object.entries(own).filter(([name, value]) => !isSame(value, life.now.get(edited)?.[name]));
    await life.merge(edited, own);
    const by = { key };
    const { plan } = await life.send("POST", "/api/undo", { body: { by } });
    const { job } = await life.send("POST", "/api/undo", { body: { by, apply: plan } });
    const ended = await until(
      () => life.send("GET", `/api/jobs/${job}`),
      ({ status }) => status === "succeeded" || status === "failed",
    );
    assert.deepEqual([ended.status, ended.result?.failed], ["succeeded", []], ended.error);
    for (const [id, body] of theirs) {
      const kept = id === edited ? differing.map(([name]) => name) : [];
      const back = Object.keys(body).filter((name) => !kept.includes(name));
      await life.merge(id, Object.fromEntries(back.map((name) => [name, before.get(id)?.[name]])));
    }
  },
  async erase(life) {
    const id = life.pick(ids);
    const done = await first.cli(["history:forget", life.collection, id, "--force"]);
    assert.equal(done.code, 0, done.stderr);
    const known = [...(life.versions.get(id)?.keys() ?? [])];
    for (const change of known.slice(0, -1)) life.erased.add(change);
  },
  async prune() {
    const done = await first.cli(["history:prune"]);
    assert.equal(done.code, 0, done.stderr);
  },
  /** Object and change are there together, or not at all. */
  async kill(life) {
    const [id, body] = [life.pick(ids), life.whole()];
    const writing = first.request("PATCH", `${life.objects}/${id}`, { body }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, life.roll(8)));
    await first.kill();
    const answer = await writing;
    await first.restart();
    const found = valuesOf(await life.send("GET", `${life.objects}/${id}`));
    const values = life.now.get(id) ?? {};
    const isWritten = answer?.status === 200 || !isSame(found, values);
    await life.note(id, isWritten ? body : values);
  },
};

function valuesOf(document: Values): Values {
  return Object.fromEntries(names.map((name) => [name, document[name]]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** All of them, in an order by the dice, and some again. */
function order({ roll }: Life): string[] {
  const left = Object.keys(steps);
  const quick = left.filter((name) => !["kill", "erase", "prune"].includes(name));
  const first = Array.from({ length: left.length }, () => left.splice(roll(left.length), 1)[0] as string);
  return [...first, ...Array.from({ length: 6 }, () => quick[roll(quick.length)] as string)];
}

test("HIS-23 beside every kind of write, restores, undos, erasure, prunes and deaths each version is what the model had then", {
  timeout: repeats(900_000, 7_200_000),
}, async () => {
  for (let seed = 1; seed <= repeats(2, 30); seed += 1) {
    const life = new Life(seed);
    await first.makeCollection({ id: life.collection, schema: "note", history: "full" });
    for (const id of ids) {
      const values = life.whole();
      await life.send("POST", life.objects, { body: { id, ...values } });
      await life.note(id, values);
    }
    const done: string[] = [];
    for (const name of order(life)) {
      done.push(name);
      await steps[name]?.(life);
      for (const id of ids) {
        const stored = valuesOf(await life.send("GET", `${life.objects}/${id}`));
        assert.deepEqual(stored, valuesOf(life.now.get(id) ?? {}), `${seed}, ${id} after ${done.join(", ")}`);
      }
    }
    for (const id of ids) await compare(life, id, `${seed}, ${id} after ${done.join(", ")}`);
  }
});

async function compare(life: Life, id: string, at: string): Promise<void> {
  const history = `/api/history/${life.collection}/${id}`;
  const listed = (await life.send("GET", `${history}?limit=100`)) as { change: string }[];
  const known = life.versions.get(id) ?? new Map<string, Values>();
  assert.deepEqual(
    listed.map(({ change }) => change),
    [...known.keys()].toReversed(),
    at,
  );
  for (const [change, values] of known) {
    const { status, body } = await life.pick(servers).request("GET", `${history}/${change}`, { key: first.key });
    // A change that changed nothing needs no content: what was before it can still be read.
    if (life.erased.has(change) && status === 404) continue;
    assert.equal(status, 200, `${at}: ${change}`);
    assert.deepEqual(valuesOf(body.data), valuesOf(values), `${at}: ${change}`);
  }
}
