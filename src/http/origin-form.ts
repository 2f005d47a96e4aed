// A request may name its whole address, as to a proxy (RFC 9112, 3.2.2). What counts is its path and its query: who is asked
// is known, and nothing here believes what the address says about it.

export function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  if (rest === undefined) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
