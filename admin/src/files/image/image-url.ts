// Addresses of a stored image in other sizes. Pure but for the page's own address.

/** A path of this server, whatever host the address names. */
export function imageUrl(url: string, parameters: Record<string, string | number | undefined> = {}): string {
  const { pathname, searchParams } = new URL(url, globalThis.location?.href ?? "http://localhost");
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== "") searchParams.set(name, String(value));
  const query = searchParams.toString();
  return query === "" ? pathname : `${pathname}?${query}`;
}

/** A square around the focal point, with twice as many pixels, for sharp screens. */
export function thumbnailUrl(url: string, size: number): string {
  return imageUrl(url, { w: 2 * size, h: 2 * size, fit: "crop" });
}
