/** Whether an entry leads to the page that is shown. Home is one page; of the others the pages below count too. */
export function isAt(path: string, to: string): boolean {
  return to === "/admin" ? path === to || path === `${to}/` : path === to || path.startsWith(`${to}/`);
}
