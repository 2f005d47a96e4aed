/** Whether an entry leads to the page that is shown. Home is one page; of the others the pages below count too. */
export function isAt(path: string, to: string): boolean {
  return to === "/admin" ? path === to || path === `${to}/` : path === to || path.startsWith(`${to}/`);
}

/** Of the addresses that lead to the page that is shown, the closest one: pages of the site lie below the collections. */
export function closestTo(path: string, addresses: readonly string[]): string | undefined {
  return addresses.filter((to) => isAt(path, to)).toSorted((a, b) => b.length - a.length)[0];
}
