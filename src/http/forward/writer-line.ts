// The line from a process that only reads to the one that writes: calls with a JSON body, over the socket that requests are
// forwarded on.

import { Agent, request as open } from "node:http";
import { CairnError, temporarilyUnavailable } from "#base/errors.ts";
import type { WriterLine } from "#base/writer-line.ts";
import { callHeader } from "./forwarded-request.ts";
import { closeFree, type WriterGate } from "./writer-gate.ts";

const callMs = 10_000;

export interface OpenLine extends WriterLine {
  close(): void;
}

export function openWriterLine(socketPath: string, gate: WriterGate): OpenLine {
  const agent = new Agent({ keepAlive: true });
  gate.onSweep(() => closeFree(agent));

  function send(name: string, text: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(temporarilyUnavailable("The process that writes does not answer."));
      const sent = open({
        ...{ socketPath, agent, method: "POST", path: "/", timeout: callMs },
        headers: { "content-length": Buffer.byteLength(text), [callHeader]: name },
      });
      sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
      sent.on("error", fail);
      sent.on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", fail);
        answer.on("end", () => {
          if (answer.statusCode === 200) resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
          else if (answer.statusCode === 500) reject(new CairnError("internal", "The process that writes failed."));
          else fail();
        });
      });
      sent.end(text);
    });
  }

  return {
    get isHeld() {
      return gate.isHeld;
    },
    async call(name, body) {
      const text = JSON.stringify(body ?? null);
      if (gate.isHeld) await gate.whenOpen();
      return send(name, text);
    },
    close: () => agent.destroy(),
  };
}
