// Sends a request on to the process that writes, and its answer back, over kept connections on a socket in the data directory.
// Large bodies are piped in both directions with back-pressure; small requests have a way of their own (small-requests.ts). A request
// that could not be sent waits for the writer for a while; one that was sent is never repeated, because it may have been carried out.

import { randomBytes } from "node:crypto";
import { Agent, type ClientRequest, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import { lingerOnClose, readBody } from "#http/bodies.ts";
import { errorText } from "#http/errors.ts";
import { jsonType } from "#http/media-types.ts";
import type { AnswerHead } from "./answer-reader.ts";
import { addressHeader, callHeader, localHeader, protocolHeader } from "./forwarded-request.ts";
import { inTurns } from "./requests-of-connections.ts";
import { isSmall, openSmallRequests, smallBody } from "./small-requests.ts";
import { closeFree, type WriterGate } from "./writer-gate.ts";

/** How long a request waits for a writer that is being started. */
const waitMs = 2_000;
const againMs = 25;
const keptSockets = 256;

/** They are about one connection, and are not passed on. */
const ofConnection = new Set(["connection", "keep-alive", "proxy-connection", "expect", "upgrade", "te"]);
const neverSent = new Set([...ofConnection, addressHeader, protocolHeader, localHeader, callHeader]);
/** What a small request announces is the length that it has. */
const neverSentSmall = new Set([...neverSent, "content-length"]);
const neverAnswered = new Set([...ofConnection, "transfer-encoding"]);
const bodiless = ["GET", "HEAD"];

export interface Forwarder {
  /** In its turn among the requests of its connection. `url`: as it was sent by the client. */
  pass(request: IncomingMessage, response: ServerResponse, url: string): void;
  /** At once: requests that came behind it may have taken all turns, and their answers wait for this one. */
  passLate(request: IncomingMessage, response: ServerResponse, url: string): void;
  close(): void;
}

export function createForwarder(socketPath: string, gate: WriterGate): Forwarder {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: keptSockets });
  const small = openSmallRequests(socketPath);
  gate.onSweep(() => {
    small.closeFree();
    closeFree(agent);
  });

  function passSmall(request: IncomingMessage, response: ServerResponse, url: string): void {
    let deadline = 0;
    const { method = "GET" } = request;
    const pairs = pairsWithout(request.rawHeaders, neverSentSmall);
    let giveUp = () => {};
    let retry: NodeJS.Timeout | undefined;
    // Without this a client that goes away would leave the writer at work.
    response.once("close", () => {
      clearTimeout(retry);
      if (!response.writableFinished) giveUp();
    });
    const send = (body: Buffer) => {
      if (response.destroyed) return;
      if (gate.isHeld) return void gate.whenOpen().then(() => send(body));
      deadline ||= performance.now() + waitMs;
      const length = body.length > 0 || !bodiless.includes(method) ? ["content-length", String(body.length)] : [];
      const headers = [...callerOf(request), ...pairs, ...length];
      giveUp = small.send(
        { head: headText(`${method} ${url} HTTP/1.1`, headers), body, isBodiless: method === "HEAD" },
        {
          response,
          writeHead: (head) => answerHead(response, head),
          failed(isSent) {
            if (!isSent && performance.now() < deadline) retry = setTimeout(send, againMs, body);
            else refuse(request, response, isSent);
          },
        },
      );
    };
    // One that does not come whole, or in time, is never sent.
    if (hasBody(request)) readBody(request, { bytes: smallBody, isPublic: false }).then(send, () => response.destroy());
    else send(Buffer.alloc(0));
  }

  function passLarge(request: IncomingMessage, response: ServerResponse, url: string): void {
    let deadline = 0;
    const headers = [...callerOf(request), ...pairsWithout(request.rawHeaders, neverSent)];
    let sent: ClientRequest | undefined;
    let retry: NodeJS.Timeout | undefined;
    // Without this a client that goes away would leave the writer at work.
    response.once("close", () => {
      clearTimeout(retry);
      if (!response.writableFinished) sent?.destroy();
    });

    function attempt(): void {
      if (response.destroyed) return;
      if (gate.isHeld) return void gate.whenOpen().then(attempt);
      deadline ||= performance.now() + waitMs;
      let isSent = false;
      sent = open({ socketPath, agent, method: request.method, path: url, headers, setHost: false });
      // A refusal needs no body.
      sent.flushHeaders();
      const send = () => {
        isSent = true;
        request.pipe(sent as ClientRequest);
      };
      sent.once("socket", (socket) => (socket.connecting ? socket.once("connect", send) : send()));
      sent.once("response", (answer) => {
        answer.once("end", () => {
          if (request.complete) return;
          // The writer does not wait for the rest. Here it is dropped: a client may send all before it reads.
          request.unpipe(sent).resume();
          sent?.destroy();
          if (answer.headers.connection === "close") lingerOnClose(request.socket);
        });
        relay(answer, response);
      });
      sent.on("error", () => {
        if (response.destroyed) return;
        // An answer that came before the request had ended counts.
        if (response.headersSent) return;
        if (!isSent && performance.now() < deadline) retry = setTimeout(attempt, againMs);
        // As the writer does with a body that takes too long.
        else if (isSent && !request.complete) response.destroy();
        else refuse(request, response, isSent);
      });
    }
    attempt();
  }

  const passNow: Forwarder["passLate"] = (request, response, url) =>
    (isSmall(request) ? passSmall : passLarge)(request, response, url);

  return {
    pass: (request, response, url) => inTurns(request.socket, response, () => passNow(request, response, url)),
    passLate: passNow,
    close() {
      agent.destroy();
      small.close();
    },
  };
}

function headText(first: string, headers: readonly string[]): string {
  let text = `${first}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${text}\r\n`;
}

type Head = Omit<AnswerHead, "length" | "isChunked">;

function answerHead(response: ServerResponse, { status, reason, headers, isKept }: Head): void {
  const pairs = pairsWithout(headers, neverAnswered);
  if (!isKept) pairs.push("connection", "close");
  response.writeHead(status, reason, pairs);
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode: status = 502, statusMessage: reason = "", rawHeaders, headers } = answer;
  const isKept = headers.connection !== "close";
  answerHead(response, { status, reason, headers: rawHeaders, isKept });
  // A stream of events has headers long before its first event.
  if (answer.headers["content-length"] === undefined) response.flushHeaders();
  answer.on("error", () => response.destroy());
  answer.pipe(response);
}

function callerOf({ socket }: IncomingMessage): string[] {
  const caller = [addressHeader, socket.remoteAddress ?? "", localHeader, socket.localAddress ?? ""];
  caller.push(protocolHeader, "encrypted" in socket ? "https" : "http");
  return caller;
}

function pairsWithout(raw: readonly string[], dropped: ReadonlySet<string>): string[] {
  const pairs: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!dropped.has(name.toLowerCase())) pairs.push(name, raw[at + 1] as string);
  }
  return pairs;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== "0");
}

const refusals = {
  sent: "The server is being started again. The request may have been carried out.",
  unsent: "The server is being started again. Try again in a moment.",
};

function refuse(request: IncomingMessage, response: ServerResponse, isSent: boolean): void {
  const body = errorText(503, isSent ? refusals.sent : refusals.unsent);
  response.writeHead(503, {
    "content-type": jsonType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "retry-after": "1",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow",
    "x-request-id": randomBytes(8).toString("base64url"),
    // What is left of the body is not read.
    ...(!request.complete && { connection: "close" }),
  });
  response.end(body);
}
