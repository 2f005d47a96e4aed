// The floor for files: a process with nothing but Fastify that sends one image from memory and one file from disk, with as many
// headers as Cairn does, and makes one image with sharp. It checks nothing and knows no ranges but the one that is asked for.

import { createReadStream, readFileSync } from "node:fs";
import fastify from "fastify";
import sharp from "sharp";

const [imagePath = "", filePath = "", photoPath = "", headsPath = ""] = process.argv.slice(2);
const image = readFileSync(imagePath);
type Head = Record<string, string>;
const [imageHead, fileHead, rangeHead] = JSON.parse(readFileSync(headsPath, "utf8")) as [Head, Head, Head];
const server = fastify({ logger: false });

server.get("/image", (_request, reply) => reply.headers(imageHead).send(image));

server.get("/file", (_request, reply) => reply.headers(fileHead).send(createReadStream(filePath)));

server.get("/range", (request, reply) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  return reply
    .code(206)
    .headers(rangeHead)
    .send(createReadStream(filePath, { start: Number(start), end: Number(end) }));
});

/** Milliseconds of one conversion. */
server.get("/convert", async () => {
  const started = performance.now();
  await sharp(photoPath).autoOrient().resize(800).webp({ quality: 80 }).toBuffer();
  return { ms: performance.now() - started };
});

console.log(`ready at ${await server.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
