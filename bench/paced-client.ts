// A client in a process of its own: what one caller does then takes no time of what another measures.
//   node bench/paced-client.ts reads URL KEY MS    reads at an even pace; prints the milliseconds of each as JSON
//   node bench/paced-client.ts many URL KEY MS     100 connections, each asking again at once; prints the milliseconds of each answer as
//                                                  JSON, without the first of each connection, which waits to be accepted
//   node bench/paced-client.ts calls URL KEY MS    calls one after the other with a pause between them, whatever the answer; prints how many

import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [what, url = "", key = "", ms = "0"] = process.argv.slice(2);
const [readEach, pause, connections] = [10, 20, 100];
const agent = new Agent({ keepAlive: true });
const headers = key === "" ? {} : { "x-api-key": key };
const end = performance.now() + Number(ms);

function request(by = agent): Promise<number> {
  return new Promise((done, failed) => {
    get(url, { agent: by, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => done(answer.statusCode ?? 0));
    }).once("error", failed);
  });
}

async function read(times: number[]): Promise<void> {
  const began = performance.now();
  const status = await request();
  if (status !== 200) throw new Error(`a read beside extensions was answered with ${status}`);
  times.push(performance.now() - began);
}

async function askOn(own: Agent, times: number[]): Promise<void> {
  for (let isFirst = true; performance.now() < end; isFirst = false) {
    const began = performance.now();
    const status = await request(own);
    if (status !== 200) throw new Error(`a read was answered with ${status}`);
    if (!isFirst) times.push(performance.now() - began);
  }
  own.destroy();
}

if (what === "many") {
  const times: number[] = [];
  const open = () => askOn(new Agent({ keepAlive: true, maxSockets: 1 }), times);
  await Promise.all(Array.from({ length: connections }, open));
  process.stdout.write(JSON.stringify(times));
} else if (what === "calls") {
  let calls = 0;
  for (; performance.now() < end; calls += 1) {
    await request();
    await sleep(pause);
  }
  process.stdout.write(String(calls));
} else {
  for (let warm = 0; warm < 20; warm += 1) await read([]);
  const times: number[] = [];
  const running: Promise<void>[] = [];
  while (performance.now() < end) {
    running.push(read(times));
    await sleep(readEach);
  }
  await Promise.all(running);
  process.stdout.write(JSON.stringify(times));
}
agent.destroy();
