// The floor for files: a process with nothing but Fastify that sends one image from memory and one file from disk,
// and makes one image with sharp. It checks nothing and knows no ranges but the one that is asked for.

import { createReadStream, readFileSync, statSync } from "node:fs";
import fastify from "fastify";
import sharp from "sharp";

const [imagePath = "", filePath = "", photoPath = ""] = process.argv.slice(2);
const image = readFileSync(imagePath);
const { size } = statSync(filePath);
const server = fastify({ logger: false });

server.get("/image", (_request, reply) => reply.header("content-type", "image/webp").send(image));

server.get("/file", (_request, reply) =>
  reply
    .header("content-type", "application/octet-stream")
    .header("content-length", size)
    .send(createReadStream(filePath)),
);

server.get("/range", (request, reply) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  const range = { start: Number(start), end: Number(end) };
  return reply
    .code(206)
    .header("content-range", `bytes ${start}-${end}/${size}`)
    .header("content-length", range.end - range.start + 1)
    .send(createReadStream(filePath, range));
});

/** Milliseconds of one conversion. */
server.get("/convert", async () => {
  const started = performance.now();
  await sharp(photoPath).autoOrient().resize(800).webp({ quality: 80 }).toBuffer();
  return { ms: performance.now() - started };
});

console.log(`ready at ${await server.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
