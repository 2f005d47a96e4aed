// Whether an address is inside the own network, as far as its text tells. The server judges by what it resolves to.

const numbers = /^\d+\.\d+\.\d+\.\d+$/;
const privateNumbers = /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.)/;

export function isPrivateAddress(address: string): boolean {
  const host = URL.parse(address)?.hostname.toLowerCase() ?? "";
  if (host === "localhost" || /\.(localhost|local|internal|lan)$/.test(host)) return true;
  if (host.startsWith("[")) return /^\[(::1?\]|f[cd]|fe[89ab])/.test(host);
  return numbers.test(host) && privateNumbers.test(host);
}
