// The front controller: a request for a real file under public/ gets it, every other goes to the service.
// The data directory answers 403 in every spelling and through every link; dot files and links that lead out do not exist.

import { type FSWatcher, readdirSync, type Stats, statSync, watch } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createLru } from "#base/caches/lru.ts";
import { oncePerTurn } from "#base/caches/once-per-turn.ts";
import type { App } from "#context.ts";
import { followSettings } from "#installation/settings.ts";
import {
  compressedForms,
  findAsset,
  findCompressedForms,
  hashOfFile,
  isHash,
  textTypeOf,
} from "#site/pages/public-files.ts";
import { nameSources } from "#site/template/sources.ts";
import { acceptedEncoding } from "./admin/accepted-encoding.ts";
import { keepHostsApart } from "./admin/admin-host.ts";
import { pathIn } from "./errors.ts";
import { allowScripts } from "./hooks/cors.ts";
import { originForm } from "./origin-form.ts";
import { sendMessage } from "./pages/pages.ts";
import { queryOf } from "./request-helpers.ts";
import { addVary } from "./vary.ts";

/** Belongs to the admin web app alone: a file in public/ must not run with its session under the same name. */
const adminName = "admin";

/** First segments of the service; they need a look at the disk only when public/ has one of the same name. */
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

interface NoFiles {
  /** All addresses that begin with this name of the service are its own: public/ has nothing of that name. */
  isOwnName(name: string): boolean;
  /** No file in public/ can be meant by this path, and it is not closed. */
  isNoFile(path: string): boolean;
}

export function serveFiles(server: FastifyInstance, app: App): NoFiles {
  const { dataDir, projectDir } = app.settings;
  const publicDir = resolve(projectDir, app.settings.get("publicDir"));
  const read = pathReader(closedPaths(dataDir, publicDir));
  const topNames = followNames(server, publicDir);
  const mayHold = namesNow(publicDir);
  const isOwnName = (name: string) => name === adminName || (ownNames.has(name) && !topNames().has(name));
  nameSources(app, { asset: (path) => findAsset(app.settings, path) });
  server.register(fastifyStatic, { serve: false, root: publicDir, setHeaders: setTypeOfForm });

  server.addHook("onRequest", (request, reply, done) => {
    // As sent: the slash distinguishes a folder from a file.
    const path = pathIn(originForm(request.originalUrl));
    const isOwn = isOwnName(firstSegment(path));
    if (isOwn && isStraight(path)) return done();
    const { isClosed, names } = read(path);
    const beforeAnswer = () => {
      followSettings(app);
      keepHostsApart(app, request, reply);
      allowScripts(app, request, reply);
    };
    if (isClosed) return sendClosed(reply, beforeAnswer);
    if (isOwn || !names || (request.method !== "GET" && request.method !== "HEAD")) return done();
    if (!mayHold(names)) return done();
    answerFromDisk(request, reply, { publicDir, dataDir, names, beforeAnswer }).then(
      (isSent) => isSent || done(),
      done,
    );
  });
  const isNoFile = (path: string) => {
    const { isClosed, names } = read(path);
    return !isClosed && names !== undefined && !mayHold(names);
  };
  return { isOwnName, isNoFile };
}

function sendClosed(reply: FastifyReply, beforeAnswer: () => void): void {
  beforeAnswer();
  sendMessage(reply.code(403), "Forbidden", "This address is closed.");
}

/** No part of it can be read as a way out. */
function isStraight(path: string): boolean {
  return !path.includes("..") && !path.includes("%2");
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end < 0 ? undefined : end);
}

/** The paths of the data directory, as segments: `/data`, its own name, and its place below public/. */
function closedPaths(dataDir: string, publicDir: string): string[][] {
  const closed = [["data"], [fold(basename(dataDir))]];
  const below = relative(publicDir, dataDir);
  if (below !== "" && !below.startsWith("..")) closed.push(below.split(sep).map(fold));
  return closed;
}

interface ReadPath {
  isClosed: boolean;
  names: string[] | undefined;
}

/** Of paths that may come again. */
const keptPaths = 2_000;
const maxKeptLength = 200;

/** What a path says depends on nothing else, and most requests are for a few of them. */
function pathReader(closed: readonly string[][]): (path: string) => ReadPath {
  const known = createLru<ReadPath>(keptPaths);
  return (path) => {
    const found = known.get(path);
    if (found) return found;
    const read = { isClosed: isDataPath(path, closed), names: namesIn(path) };
    if (path.length <= maxKeptLength) known.set(path, read);
    return read;
  };
}

/** Checked after one and after two decodings, in any case, with any slashes and dots; a path that leads out again is closed too. */
export function isDataPath(path: string, closed: readonly string[][]): boolean {
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

/** As a lenient file system would compare names: no case, no trailing dots or spaces. */
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

/** The decoded names of the path, or undefined when one could be more than a name. */
function namesIn(path: string): string[] | undefined {
  const names = path.split("/").slice(1).map(decode);
  const isPlain = names.every(
    (name, at) => (name !== "" || at === names.length - 1) && name !== "." && name !== ".." && !/[/\\\0]/.test(name),
  );
  return isPlain ? names : undefined;
}

/** Dot files are private; `.well-known` (RFC 8615) is public. */
function isHidden(name: string, at: number): boolean {
  return name.startsWith(".") && !(at === 0 && name === ".well-known");
}

interface Place {
  publicDir: string;
  dataDir: string;
  names: string[];
  beforeAnswer(): void;
}

/** False when there is no such file: then the service answers. */
async function answerFromDisk(request: FastifyRequest, reply: FastifyReply, place: Place): Promise<boolean> {
  const { publicDir, dataDir, names, beforeAnswer } = place;
  try {
    const root = await realpath(publicDir);
    const isFolder = names.at(-1) === "";
    const { real, isWhole } = await follow(root, isFolder ? [...names.slice(0, -1), "index.html"] : names);
    if (real !== root && isInside(real, await realpath(dataDir))) {
      sendClosed(reply, beforeAnswer);
      return true;
    }
    if (!isWhole || names.some(isHidden) || !isInside(real, root)) return false;
    const found = await stat(real);
    if (found.isDirectory() && !isFolder && (await stat(join(real, "index.html"))).isFile()) {
      beforeAnswer();
      const address = names.map(encodeURIComponent).join("/");
      reply
        .code(301)
        .header("location", `/${address}/${search(request)}`)
        .send();
      return true;
    }
    if (!found.isFile()) return false;
    beforeAnswer();
    reply.removeHeader("x-robots-tag");
    await sendPublicFile(request, reply, { root, real, found });
    return true;
  } catch {
    return false;
  }
}

const yearMs = 31_536_000_000;

/** In a compressed form that lies beside it, where the client takes one; ranges are of the plain file. */
async function sendPublicFile(request: FastifyRequest, reply: FastifyReply, file: PublicFile): Promise<void> {
  const { root, real, found } = file;
  const { headers } = request;
  const forms = await findCompressedForms(real, found);
  const encoding = headers.range === undefined ? acceptedEncoding(headers["accept-encoding"], forms) : undefined;
  const [, ending = ""] = compressedForms.find(([name]) => name === encoding) ?? [];
  const { v: version } = queryOf(request);
  const isCurrent = isHash(version) && version === (await hashOfFile(real, found));
  if (forms.length > 0) addVary(reply, "Accept-Encoding");
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  reply.sendFile(relative(root, real) + ending, root, isCurrent ? { maxAge: yearMs, immutable: true } : { maxAge: 0 });
}

interface PublicFile {
  root: string;
  real: string;
  found: Stats;
}

/** The type of a compressed form is that of its file. */
function setTypeOfForm(reply: FastifyReply, path: string): void {
  const encoding = reply.getHeader("content-encoding");
  const [, ending = ""] = compressedForms.find(([name]) => name === encoding) ?? [];
  const type = ending === "" ? undefined : textTypeOf(path.slice(0, -ending.length));
  if (type !== undefined) reply.header("content-type", type);
}

/** Resolves the names, links included; undefined where one does not exist. */
async function follow(root: string, names: string[]): Promise<{ real: string; isWhole: boolean }> {
  let real = root;
  for (const name of names) {
    const next = await realpath(join(real, name)).catch(() => undefined);
    if (next === undefined) return { real, isWhole: false };
    real = next;
  }
  return { real, isWhole: true };
}

function search(request: FastifyRequest): string {
  const url = originForm(request.originalUrl);
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** The names directly below public/, watched while the server runs, also when the folder is created or replaced later. */
function followNames(server: FastifyInstance, publicDir: string): () => ReadonlySet<string> {
  let names: ReadonlySet<string> = new Set();
  let inside: FSWatcher | undefined;
  const read = () => {
    try {
      names = new Set(readdirSync(publicDir));
    } catch {
      names = new Set();
    }
  };
  const begin = () => {
    inside?.close();
    inside = watchFolder(publicDir, read);
    read();
  };
  const beside = watchFolder(dirname(publicDir), (name) => name === basename(publicDir) && begin());
  begin();
  server.addHook("onClose", async () => {
    beside?.close();
    inside?.close();
  });
  return () => names;
}

/** File systems note times in steps of a few milliseconds. */
const settledMs = 50;

/**
 * False when public/ has nothing of the first name: then nothing has to be looked up, which most requests for pages wait for.
 * The time of the folder tells at once when a name comes or goes.
 */
function namesNow(publicDir: string): (names: readonly string[]) => boolean {
  let known = { time: Number.NaN, readAt: 0, names: new Set<string>() };
  const timeNow = oncePerTurn(() => statSync(publicDir, { throwIfNoEntry: false })?.mtimeMs);
  return ([first = ""]) => {
    const name = first === "" ? "index.html" : first;
    if (!/^[\w.-]+$/.test(name)) return true;
    const time = timeNow();
    if (time === undefined) return false;
    if (time !== known.time || known.readAt - time < settledMs) {
      const readAt = Date.now();
      try {
        known = { time, readAt, names: new Set(readdirSync(publicDir).map((entry) => entry.toLowerCase())) };
      } catch {
        return true;
      }
    }
    return known.names.has(name.toLowerCase());
  };
}

function watchFolder(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, (_event, name) => onChange(name)).on("error", () => onChange(null));
  } catch {
    return undefined;
  }
}
