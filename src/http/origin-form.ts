// A request may have an absolute address, as sent to a proxy (RFC 9112, 3.2.2). Only its path and its query are used:
// the host in it is ignored.

export function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  if (rest === undefined) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
