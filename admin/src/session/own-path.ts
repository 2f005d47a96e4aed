// Where to go after signing in: to a page of this site and to no other. Pure.

const home = "/admin";

/** A path of this site, however a browser may read it; else Home. */
export function ownPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])[^\\\s]*$/.test(wanted)) return home;
  const url = URL.parse(wanted, "http://own.invalid");
  return url?.origin === "http://own.invalid" ? wanted : home;
}

/** Whether the router can go there without loading the page again. The sign-in page leads nowhere. */
export function isAdminPath(path: string): boolean {
  return /^\/admin(?![^/?#])/.test(path) && !/^\/admin\/login(?![^/?#])/.test(path);
}
