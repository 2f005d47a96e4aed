// What the address and the headers of a request say about the page that is asked for.

export const noParameters: ReadonlyMap<string, string> = new Map();

export function prefersJson(accept = ""): boolean {
  return accept.includes("application/json") && !accept.includes("text/html");
}
