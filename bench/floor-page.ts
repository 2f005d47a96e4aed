// The floor for kept pages: a process with nothing but Fastify that sends the bytes of a file, or 304.
//   node bench/floor-page.ts FILE

import { readFileSync } from "node:fs";
import fastify from "fastify";

const page = readFileSync(process.argv[2] as string);
const server = fastify({ logger: false });
server.get("/page", (request, reply) => {
  reply.header("etag", '"page"');
  if (request.headers["if-none-match"] === '"page"') return reply.code(304).send();
  return reply.header("content-type", "text/html; charset=utf-8").send(page);
});
console.log(`ready at ${await server.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
