// Network addresses: whom they stand for, and whether they lead no further than this machine.

import { isIP } from "node:net";

/**
 * Whom an address stands for: itself, or the /64 network of an IPv6 address, since one subscriber holds all of that.
 * Undefined when the text is no address.
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

/** Reached from this machine alone. A name other than `localhost` may be anybody's. */
export function isLoopback(host: string): boolean {
  const address = mappedIPv4(host) ?? host;
  return host === "localhost" || host === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

function mappedIPv4(address: string): string | undefined {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
}

/** The groups of an IPv6 address, none left out, each without leading zeros. */
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
