// The entry of the sandbox's thread: one run after the other, each in a machine of its own. The next machine is prepared
// while the thread is idle. When a machine breaks, the thread reports it and is ended.

import { parentPort, workerData } from "node:worker_threads";
import { createMachine, type Machine, type Outside } from "./machine.ts";
import type { FromThread, ThreadData, ToThread } from "./messages.ts";

const port = parentPort;
if (!port) throw new Error("This file is the entry of a thread.");

let next: Promise<Machine> | undefined;
let machine: Machine | undefined;

const say = (message: FromThread) => port.postMessage(message);
const outside: Outside = {
  call: (call, name, args) => say({ type: "call", call, name, args }),
  log: (level, line) => say({ type: "log", level, line }),
  end(outcome) {
    machine = undefined;
    if ("text" in outcome) say({ type: "result", text: outcome.text });
    else say({ type: "error", ...outcome, isBroken: outcome.reason === "memory" });
    setImmediate(prepare);
  },
};

function prepare(): Promise<Machine> {
  next ??= createMachine(workerData as ThreadData, outside);
  return next;
}

async function obey(message: ToThread): Promise<void> {
  if (message.type === "answer") return machine?.answer(message.call, message.text);
  const fresh = await prepare();
  next = undefined;
  machine = fresh;
  if (message.type === "run") return fresh.run(message);
  const problem = fresh.check(message.source);
  outside.end(problem === undefined ? { text: "null" } : { reason: "syntax", message: problem });
}

port.on("message", (message: ToThread) => {
  obey(message).catch(() => {
    // The machine itself failed: its memory or its stack ran out.
    say({ type: "error", reason: "memory", message: "The handler ran out of memory.", isBroken: true });
  });
});

await prepare();
say({ type: "ready" });
