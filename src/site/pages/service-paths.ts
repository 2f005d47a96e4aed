// First segments that belong to the service: no page can have one, whatever its route says.

/** `data` is closed by the front controller. */
const names = new Set(
  (
    "api admin collections mcp oauth .well-known automations download stream imageworks forms login setup account " +
    "sitemap sitemap.xml feed healthz readyz metrics - forgot-password reset-password verify-email connections data"
  ).split(" "),
);

export function isServicePath(path: string): boolean {
  const end = path.indexOf("/", 1);
  return names.has(path.slice(1, end < 0 ? undefined : end));
}
