// The front controller: a request for a real file under public/ gets it, every other goes to the service.
// The data directory answers 403 however it is spelled; dot files and links that lead out do not exist.

import { readdirSync, watch } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "#context.ts";
import { pathIn } from "./errors.ts";
import { sendMessage } from "./pages.ts";

/** First segments that belong to the service; they cost a look at the disk only when public/ has one of the same name. */
const ownNames = new Set([
  "api",
  "collections",
  "healthz",
  "readyz",
  "metrics",
  "login",
  "oauth",
  "setup",
  "download",
  "stream",
  "imageworks",
  "mcp",
  "feed",
  "sitemap",
  "sitemap.xml",
]);

export function serveFiles(server: FastifyInstance, app: App): void {
  const { dataDir, projectDir } = app.settings;
  const publicDir = resolve(projectDir, app.settings.get("publicDir"));
  const closed = closedPaths(dataDir, publicDir);
  const topNames = followNames(server, publicDir);
  server.register(fastifyStatic, { serve: false, root: publicDir });

  server.addHook("onRequest", (request, reply, done) => {
    // As it was sent: a folder is told from a file by the slash.
    const path = pathIn(request.originalUrl);
    const first = firstSegment(path);
    const isOwn = ownNames.has(first) && !topNames().has(first);
    if (isOwn && isStraight(path)) return done();
    if (isClosed(path, closed)) {
      sendMessage(reply.code(403), "Forbidden", "This address is not open to anyone.");
      return;
    }
    const segments = isOwn ? undefined : plainSegments(path);
    if (!segments || (request.method !== "GET" && request.method !== "HEAD")) return done();
    sendPublicFile(request, reply, { publicDir, dataDir, segments }).then((isSent) => isSent || done(), done);
  });
}

/** No part of it can be read as a way back. */
function isStraight(path: string): boolean {
  return !path.includes("..") && !path.includes("%2");
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end < 0 ? undefined : end);
}

/** The paths of the data directory, as segments: `/data`, its own name, and where it lies below public/. */
function closedPaths(dataDir: string, publicDir: string): string[][] {
  const closed = [["data"], [fold(basename(dataDir))]];
  const below = relative(publicDir, dataDir);
  if (below !== "" && !below.startsWith("..")) closed.push(below.split(sep).map(fold));
  return closed;
}

/** Judged after one and after two decodings, in any case, with any slashes and dots; what leads out again is closed too. */
export function isClosed(path: string, closed: readonly string[][]): boolean {
  const once = decode(path);
  return [path, once, decode(once)].some((spelling) => {
    const written = spelling.split(/[/\\]/).map(fold).filter(isName);
    return [written, resolveDots(written)].some((segments) =>
      closed.some((prefix) => prefix.every((part, at) => part === segments[at])),
    );
  });
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** As a careless file system would compare names: no case, no trailing dots or spaces. */
function fold(segment: string): string {
  const folded = segment.normalize("NFKC").toLowerCase();
  return folded === "." || folded === ".." ? folded : folded.replace(/[. \0]+$/, "");
}

function resolveDots(segments: string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === "..") resolved.pop();
    else resolved.push(segment);
  }
  return resolved;
}

function isName(segment: string): boolean {
  return segment !== "" && segment !== ".";
}

/** The decoded names of the path, or undefined when one could be read as more than a plain name. */
function plainSegments(path: string): string[] | undefined {
  const segments = path.split("/").slice(1).map(decode);
  const isPlain = segments.every(
    (segment, at) =>
      (segment !== "" || at === segments.length - 1) && !segment.startsWith(".") && !/[/\\\0]/.test(segment),
  );
  return isPlain ? segments : undefined;
}

interface PublicFile {
  publicDir: string;
  dataDir: string;
  segments: string[];
}

/** False when there is no such file: then the service has the next word. */
async function sendPublicFile(request: FastifyRequest, reply: FastifyReply, file: PublicFile): Promise<boolean> {
  const { publicDir, dataDir, segments } = file;
  try {
    const path = join(publicDir, ...segments);
    const isFolder = (await stat(path)).isDirectory();
    const real = await realpath(isFolder ? join(path, "index.html") : path);
    const root = await realpath(publicDir);
    const isPublic = isInside(real, root) && !isInside(real, await realpath(dataDir));
    if (!isPublic || !(await stat(real)).isFile()) return false;
    if (isFolder && segments.at(-1) !== "") {
      reply
        .code(301)
        .header("location", `/${segments.map(encodeURIComponent).join("/")}/${search(request)}`)
        .send();
    } else {
      reply.removeHeader("x-robots-tag");
      reply.sendFile(relative(root, real), root, { maxAge: 0 });
    }
    return true;
  } catch {
    return false;
  }
}

function search(request: FastifyRequest): string {
  const url = request.originalUrl;
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** The names directly below public/, followed while the server runs. */
function followNames(server: FastifyInstance, publicDir: string): () => ReadonlySet<string> {
  let names: ReadonlySet<string> = new Set();
  const read = () => {
    try {
      names = new Set(readdirSync(publicDir));
    } catch {
      names = new Set();
    }
  };
  read();
  try {
    const watcher = watch(publicDir, { persistent: false }, read).on("error", read);
    server.addHook("onClose", async () => watcher.close());
  } catch {
    // There is no public folder.
  }
  return () => names;
}
