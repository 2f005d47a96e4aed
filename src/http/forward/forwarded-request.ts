// The address and the protocol of a caller whose request another process has forwarded, and the address that it was connected to.
// They travel in headers that are believed on the socket between the processes, and nowhere else.

import type { IncomingMessage } from "node:http";

export const addressHeader = "cairn-forwarded-address";
export const protocolHeader = "cairn-forwarded-protocol";
/** Of the other process: whether it is reached from this machine alone decides which names it answers to. */
export const localHeader = "cairn-forwarded-local";
/** Names a call of a process itself; never part of a request that is forwarded. */
export const callHeader = "cairn-call";

/** The request looks as if its caller were connected to this process. */
export function adoptCaller(request: IncomingMessage): void {
  const { headers } = request;
  const address = String(headers[addressHeader] ?? "");
  const local = String(headers[localHeader] ?? "");
  const isEncrypted = headers[protocolHeader] === "https";
  delete headers[addressHeader];
  delete headers[protocolHeader];
  delete headers[localHeader];
  // Connections are kept and carry requests of many callers, so the socket itself must not change.
  request.socket = new Proxy(request.socket, {
    get(socket, name) {
      if (name === "remoteAddress") return address === "" ? undefined : address;
      if (name === "localAddress") return local === "" ? undefined : local;
      if (name === "encrypted") return isEncrypted;
      const value = Reflect.get(socket, name, socket);
      return typeof value === "function" ? value.bind(socket) : value;
    },
    set: (socket, name, value) => Reflect.set(socket, name, value, socket),
  });
}
