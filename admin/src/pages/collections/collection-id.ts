/** An id made from a name: small letters, digits and hyphens. The server has the last word. */
export function idOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .split(/[^a-z0-9_]+/)
    .filter(Boolean)
    .join("-");
}
