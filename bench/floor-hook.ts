// The floor for webhooks: a process with nothing but Fastify that takes JSON and gives it back.

import fastify from "fastify";

const server = fastify({ logger: false });
server.post("/hook", (request, reply) => reply.send({ args: request.body }));
console.log(`ready at ${await server.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
