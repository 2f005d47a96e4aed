// Loaded into a server process before anything else (`node --import`): writes down every route that the server registers,
// documented or not, to the file named by ROUTE_REPORT. So the matrix is held against the real server, not against a list.

import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";

interface Registered {
  method: string | string[];
  url: string;
}
interface Framework {
  addHook(name: "onRoute", hook: (route: Registered) => void): void;
  addHook(name: "onReady", hook: (done: () => void) => void): void;
}

const file = process.env.ROUTE_REPORT;

subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: Framework };
  const routes = new Set<string>();
  fastify.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat()) routes.add(`${each} ${url.length > 1 ? url.replace(/\/$/, "") : url}`);
  });
  fastify.addHook("onReady", (done) => {
    if (file) writeFileSync(file, JSON.stringify([...routes].sort()));
    done();
  });
});
