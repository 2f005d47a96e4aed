// The network that a request came from, before the framework has seen it: that of the connection, or of the address that a trusted
// proxy forwards. The same one by which the routes count callers.

import type { IncomingMessage } from "node:http";
import { all, compile } from "@fastify/proxy-addr";
import { networkOf } from "#base/net/addresses.ts";

export type NetworkOfRequest = (request: IncomingMessage) => string;

/** `trusted`: the proxies of the setting `trustProxy`. */
export function networkReader(trusted: readonly string[]): NetworkOfRequest {
  const isTrusted = trusted.length > 0 ? compile([...trusted]) : undefined;
  return (request) => {
    const { remoteAddress = "" } = request.socket;
    const address = isTrusted && remoteAddress !== "" ? all(request, isTrusted).at(-1) : remoteAddress;
    // A proxy may forward something that is not an address.
    return networkOf(address ?? "") ?? networkOf(remoteAddress) ?? remoteAddress;
  };
}
