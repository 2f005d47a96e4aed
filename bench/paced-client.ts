// A client in a process of its own: what one caller does then takes no time of what another measures.
//   node bench/paced-client.ts reads URL KEY MS    reads at an even pace; prints the milliseconds of each as JSON
//   node bench/paced-client.ts calls URL KEY MS    calls one after the other with a pause between them, whatever the answer; prints how many

import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [what, url = "", key = "", ms = "0"] = process.argv.slice(2);
const [readEach, pause] = [10, 20];
const agent = new Agent({ keepAlive: true });
const headers = key === "" ? {} : { "x-api-key": key };
const end = performance.now() + Number(ms);

function request(): Promise<number> {
  return new Promise((done, failed) => {
    get(url, { agent, headers }, (answer) => {
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

if (what === "calls") {
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
