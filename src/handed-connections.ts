// Connections on their way to a worker. The first process of node:cluster accepts them and keeps its own handle of each until
// the worker has confirmed it. When the worker dies before that, nobody would ever answer or close the connection: its
// client would wait for ever. So this closes them. The messages are those of node:cluster (lib/internal/cluster).

import cluster, { type Worker } from "node:cluster";

interface Handle {
  close(): void;
}
/** Between the two sides of node:cluster: a numbered one that hands over a connection, or the answer to one. */
interface Message {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
}
type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;

export function cutConnectionsOfDeadWorkers(): void {
  cluster.on("fork", (worker: Worker) => {
    const child = worker.process;
    const handed = new Map<number, Handle>();
    const send = child.send.bind(child) as Send;
    const watched: Send = (message, handle, ...rest) => {
      const { act, seq } = message as Message;
      if (handle && act === "newconn" && seq !== undefined) handed.set(seq, handle as Handle);
      return send(message, handle, ...rest);
    };
    child.send = watched as typeof child.send;
    child.on("internalMessage", ({ ack }: Message) => ack !== undefined && handed.delete(ack));
    const cut = () => {
      for (const handle of handed.values()) handle.close();
      handed.clear();
    };
    child.once("disconnect", cut);
    child.once("exit", cut);
  });
}
