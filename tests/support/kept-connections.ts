// Connections that tests use again. One that nobody has used for a while is closed from here: a server closes idle ones too, and a
// request that is sent at that moment would be lost.

import type { Agent } from "node:http";

const http = process.getBuiltinModule("node:http");

/** Servers keep them for longer. One that announces less than this is believed. */
const idleMs = 10_000;

export function keptConnections(maxSockets: number): Agent {
  return new http.Agent({ keepAlive: true, maxSockets, timeout: idleMs });
}
