// Which encoding of a file a client takes (RFC 9110, 12.5.3).

/** The first of `offered` that the header allows; undefined: the plain bytes. */
export function acceptedEncoding<E extends string>(header: string | undefined, offered: readonly E[]): E | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return offered.find((encoding) => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0);
}
