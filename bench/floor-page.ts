// The floor for kept pages: a process with nothing but Fastify that sends the bytes of a file, or 304, with the headers that it is
// given.
//   node bench/floor-page.ts FILE HEADERS HEADERS_OF_304

import { readFileSync } from "node:fs";
import fastify from "fastify";

const [file = "", whole = "{}", unchanged = "{}"] = process.argv.slice(2);
const page = readFileSync(file);
const headers = JSON.parse(whole) as Record<string, string>;
const headersOf304 = JSON.parse(unchanged) as Record<string, string>;
const server = fastify({ logger: false });
server.get("/page", (request, reply) => {
  if (request.headers["if-none-match"] === headers.etag) return reply.code(304).headers(headersOf304).send();
  return reply.headers(headers).send(page);
});
console.log(`ready at ${await server.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
