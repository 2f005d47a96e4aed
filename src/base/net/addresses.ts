// Network addresses: which caller they identify, and whether they are local to this machine.

import { isIP } from "node:net";

/**
 * The caller behind an address: the address itself, or the /64 network of an IPv6 address, since one subscriber holds all of that.
 * Undefined when the text is not an address.
 */
export function networkOf(address: string): string | undefined {
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return mappedIPv4(address) ?? `${expand(address).slice(0, 4).join(":")}::/64`;
    default:
      return undefined;
  }
}

/** Reachable only from this machine. A name other than `localhost` may point anywhere. */
export function isLoopback(host: string): boolean {
  const address = mappedIPv4(host) ?? host;
  return host === "localhost" || host === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

function mappedIPv4(address: string): string | undefined {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
}

/** All groups of an IPv6 address, each without leading zeros. */
function expand(address: string): string[] {
  const [plain = ""] = address.toLowerCase().split("%", 1);
  const [head = [], tail] = plain.split("::").map(groups);
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(missing).fill("0"), ...(tail ?? [])];
}

function groups(part: string): string[] {
  if (part === "") return [];
  return part
    .split(":")
    .flatMap((group) => (group.includes(".") ? ["0", "0"] : [Number.parseInt(group, 16).toString(16)]));
}
