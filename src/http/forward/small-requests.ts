// Requests with a small body, or none, on their way to the process that writes: nearly all there are. The whole request is sent
// at once over a kept connection, and its answer read by answer-reader.ts: half of the work of Node's client, which is for larger
// ones (forwarder.ts).

import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { type AnswerHead, createAnswerReader } from "./answer-reader.ts";

export const smallBody = 64 * 1024;
const keptLines = 256;

export function isSmall({ headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return encoding === undefined && Number(length) <= smallBody;
}

export interface SmallRequest {
  /** The first lines, each with its end. */
  head: string;
  body: Buffer;
  isBodiless: boolean;
}

export interface AnswerTarget {
  /** In its place, what the client gets. */
  writeHead(head: AnswerHead): void;
  response: ServerResponse;
  /** No answer has begun, and none will. `isSent`: it may have been carried out. */
  failed(isSent: boolean): void;
}

interface Line {
  socket: Socket;
  isOpen: boolean;
  /** Of the request that it carries. */
  take: ((bytes: Buffer) => void) | undefined;
  broken: (() => void) | undefined;
}

export interface SmallRequests {
  /** Returns what gives it up. */
  send(request: SmallRequest, target: AnswerTarget): () => void;
  /** Connections that carry nothing. */
  closeFree(): void;
  close(): void;
}

export function openSmallRequests(socketPath: string): SmallRequests {
  /** The last one is used first. */
  const free: Line[] = [];

  function newLine(): Line {
    const socket = connect(socketPath);
    const line: Line = { socket, isOpen: false, take: undefined, broken: undefined };
    socket.on("connect", () => {
      line.isOpen = true;
    });
    socket.on("data", (bytes) => {
      try {
        if (!line.take) throw new Error("nothing was asked");
        line.take(bytes);
      } catch {
        socket.destroy();
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      const at = free.indexOf(line);
      if (at >= 0) free.splice(at, 1);
      line.broken?.();
    });
    return line;
  }

  function send({ head, body, isBodiless }: SmallRequest, { writeHead, response, failed }: AnswerTarget): () => void {
    const line = free.pop() ?? newLine();
    const { socket } = line;
    let isKept = false;
    const goOn = () => socket.resume();
    const leave = () => {
      response.off("drain", goOn);
      line.take = undefined;
      line.broken = undefined;
    };
    line.broken = () => {
      leave();
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else failed(line.isOpen);
    };
    const own = createAnswerReader(isBodiless, {
      head(answer) {
        isKept = answer.isKept;
        writeHead(answer);
        // A stream of events has headers long before its first event.
        if (answer.isChunked) response.flushHeaders();
        response.on("drain", goOn);
      },
      body(bytes, isLast) {
        if (!isLast) {
          if (!response.write(bytes)) socket.pause();
          return;
        }
        leave();
        socket.resume();
        response.end(bytes);
        if (isKept && free.length < keptLines) free.push(line);
        else socket.destroy();
      },
    });
    line.take = own;
    if (body.length === 0) socket.write(head, "latin1");
    else {
      socket.cork();
      socket.write(head, "latin1");
      socket.write(body);
      socket.uncork();
    }
    return () => {
      // The line may carry the request of another caller by now.
      if (line.take !== own) return;
      leave();
      socket.destroy();
    };
  }

  const closeFree = () => {
    for (const { socket } of free.splice(0)) socket.destroy();
  };
  return { send, closeFree, close: closeFree };
}
