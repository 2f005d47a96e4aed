// Answers to invalid HTTP, and to requests that were too slow: written to the bare socket, in the usual error shape.

import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { errorText } from "./errors.ts";
import { jsonType } from "./media-types.ts";

const answers: Record<string, { status: number; reason: string; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: "Request Timeout", message: "The request took too long." },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "Request Header Fields Too Large",
    message: "The address or the headers are too long.",
  },
};
const badRequest = { status: 400, reason: "Bad Request", message: "This is not a valid HTTP request." };

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: { headersSent: boolean } };
  if (error.code === "ECONNRESET" || !socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, reason, message } = answers[error.code ?? ""] ?? badRequest;
  const body = errorText(status, message);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: ${jsonType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Robots-Tag: noindex, nofollow\r\n" +
      `X-Request-Id: ${randomBytes(8).toString("base64url")}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
