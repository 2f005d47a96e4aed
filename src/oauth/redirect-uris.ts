// Redirect URIs. They are matched as exact strings, so a registered one must have one meaning for every parser:
// https, http on this machine, or a private scheme that names its owner (com.example.app:/done).

const maxLength = 2_000;
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Characters of an address, without those that parsers read differently or a wildcard would use. */
const plain = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** A reversed domain, as apps are named. No scheme with a dot runs anything. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
/** Only these may appear in the policy of the consent page. */
const dnsName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.?$/;
/** Parameters that the server adds. */
const ownParameters = ["code", "state", "iss", "error", "error_description"];

/** The problem; undefined: it may be registered. */
export function redirectProblem(uri: unknown): string | undefined {
  if (typeof uri !== "string" || uri === "") return "must be text";
  if (uri.length > maxLength) return `must not exceed ${maxLength} characters`;
  if (uri.includes("#")) return "must not have a fragment";
  const url = plain.test(uri) ? URL.parse(uri) : null;
  if (!url) return "must be an absolute URI without spaces, wildcards or special characters";
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?]*@/.test(uri))
    return "must not contain credentials";
  if (ownParameters.some((name) => url.searchParams.has(name)))
    return "must not have the parameters code, state, iss or error of the answer";
  if (privateScheme.test(url.protocol)) return undefined;
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must be https, or a private scheme with a dot";
  // The host as written, not as a lenient parser completes it: http:/a, https:a, http://127.1, https://a%2eb.
  if (!uri.toLowerCase().startsWith(`${url.protocol}//${url.hostname}`)) return "must spell its host out";
  if (!dnsName.test(url.hostname) && !/^\[[0-9a-f:.]+\]$/.test(url.hostname)) return "must have a DNS name as its host";
  if (url.protocol === "http:" && !loopback.has(url.hostname)) return "must be https, unless it stays on this machine";
  return undefined;
}

/** The receiver of the code, in words for a person. */
export function receiverOf(uri: string): { name: string; isLocal: boolean } {
  const url = new URL(uri);
  if (privateScheme.test(url.protocol))
    return { name: `the app ${url.protocol.slice(0, -1)} on this device`, isLocal: false };
  return { name: url.host, isLocal: loopback.has(url.hostname) };
}

/** Two URIs of one receiver: the same host, or the same private scheme. */
export function receiverKey(uri: string): string {
  const url = new URL(uri);
  return url.host === "" ? url.protocol : `${url.protocol}//${url.host}`;
}

/** The URI with the answer's parameters appended. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value);
  return `${uri}${uri.includes("?") ? "&" : "?"}${added}`;
}
