// The floor for rendered pages: Fastify with the template library alone, on data that are ready.
//   node bench/floor-liquid.ts FOLDER DATA

import { readFileSync } from "node:fs";
import fastify from "fastify";
import { Liquid } from "liquidjs";

const [folder = "", data = ""] = process.argv.slice(2);
const stories = JSON.parse(readFileSync(data, "utf8")) as object[];
const engine = new Liquid({ root: folder, extname: ".liquid", cache: true, outputEscape: "escape" });
const server = fastify({ logger: false });
server.get("/rendered", async (request, reply) => {
  const page = await engine.renderFile("page", { stories, request: { query: request.query } });
  return reply.header("content-type", "text/html; charset=utf-8").send(page);
});
console.log(`ready at ${await server.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
