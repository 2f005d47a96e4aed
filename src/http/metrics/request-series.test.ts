import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyReply, FastifyRequest } from "fastify";
import { addUpSeries, countRequests, type RequestSeries, writeSeries } from "./request-series.ts";

const requestTo = (config: object) => ({ method: "GET", routeOptions: { config } }) as FastifyRequest;
const answered = (statusCode: number, elapsedTime: number) => ({ statusCode, elapsedTime }) as FastifyReply;
const textOf = async (series: readonly RequestSeries[]) => (await Array.fromAsync(writeSeries(series))).join("");

function manySeries(count: number): RequestSeries[] {
  const buckets = Array.from({ length: 13 }, (_, at) => at);
  return Array.from({ length: count }, (_, n) => ({
    ...{ method: "GET", route: `/route/${n}/:id`, status: 200, count: 100, sum: n / 7, buckets },
  }));
}

test("HTTP-72 a series is written in the Prometheus format", async () => {
  const counts = countRequests();
  const route = { url: '/a "b"\\' };
  for (const ms of [0.5, 30, 20_000]) counts.note(requestTo(route), answered(200, ms));
  const lines = (await textOf(counts.copy())).split("\n");
  const labels = 'method="GET",route="/a \\"b\\"\\\\",status="200"';
  const named = (part: string, le = "") => `cairn_http_request_duration_seconds_${part}{${labels}${le}}`;
  assert.deepEqual(lines.slice(0, 3), [
    "# HELP cairn_http_request_duration_seconds Requests by route and status, and how long they took.",
    "# TYPE cairn_http_request_duration_seconds histogram",
    `${named("bucket", ',le="0.001"')} 1`,
  ]);
  assert.ok(lines.includes(`${named("bucket", ',le="0.05"')} 2`));
  assert.deepEqual(lines.slice(-4), [
    `${named("bucket", ',le="+Inf"')} 3`,
    `${named("sum")} 20.0305`,
    `${named("count")} 3`,
    "",
  ]);
});

test("HTTP-72 requests that were answered before routing are in the series of their route", () => {
  const counts = countRequests();
  const count = counts.countOf({ method: "GET", route: "/a", status: 200 });
  assert.deepEqual(counts.copy(), []);
  counts.note(requestTo({ url: "/a" }), answered(200, 0.5));
  count(30);
  const [series, ...others] = counts.copy();
  assert.deepEqual([series?.count, series?.buckets[0], series?.buckets[5], others], [2, 1, 1, []]);
});

test("HTTP-115 what is written is of one moment, whatever is counted meanwhile", async () => {
  const counts = countRequests();
  const route = { url: "/a" };
  counts.note(requestTo(route), answered(200, 1));
  const copy = counts.copy();
  const expected = await textOf(copy);
  const writing = writeSeries(copy);
  counts.note(requestTo(route), answered(200, 1));
  assert.equal((await Array.fromAsync(writing)).join(""), expected);
  assert.equal(counts.copy()[0]?.count, 2);
});

test("HTTP-74 series of several processes are added up, by method, route and status", async () => {
  const one = manySeries(3);
  const sums = await addUpSeries([one, one.slice(1), [{ ...(one[0] as RequestSeries), status: 404 }]]);
  assert.deepEqual(
    sums.map(({ route, status, count, buckets }) => [route, status, count, buckets[3]]),
    [
      ["/route/0/:id", 200, 100, 3],
      ["/route/1/:id", 200, 200, 6],
      ["/route/2/:id", 200, 200, 6],
      ["/route/0/:id", 404, 100, 3],
    ],
  );
  assert.deepEqual(one, manySeries(3));
});

test("HTTP-115 thousands of series are written and added up in turns of the event loop", async () => {
  const all = manySeries(10_000);
  for (const work of [() => textOf(all), () => addUpSeries([all, all, all, all])]) {
    const turns: number[] = [];
    let isDone = false;
    let before = process.threadCpuUsage();
    const began = before;
    const note = () => {
      const { user, system } = process.threadCpuUsage(before);
      turns.push(user + system);
      before = process.threadCpuUsage();
      if (!isDone) setImmediate(note);
    };
    setImmediate(note);
    await work();
    isDone = true;
    const { user, system } = process.threadCpuUsage(began);
    const longest = Math.max(...turns);
    assert.ok(longest < (user + system) / 3, `${longest} µs of ${user + system} in one turn, of ${turns.length}`);
  }
});
