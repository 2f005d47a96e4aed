// The settings that open something, or lead it elsewhere: a session takes a confirmed password to change one of them.
// Named here and not in the table, because most of them are whole sections.

const sections = ["api", "auth", "cors", "extensions", "mcp", "oauth", "smtp", "sync"];

const others: ReadonlySet<string> = new Set([
  // The database and the files: the installation itself.
  ...["databaseUrl", "databaseReadUrl", "databaseDirectUrl", "filesUrl"],
  ...["url", "host", "trustProxy", "site.hosts", "site.adminHost"],
  // What is served, and to whom.
  ...["publicDir", "files.handover", "files.handoverPrefix", "metrics.openOnLoopback", "changes.publicStreams"],
  ...["automations.allowPrivateHosts", "files.allowPrivateHosts", "webhooks.allowPrivateHosts"],
  ...["mailer.allowedRecipients", "mailer.allowedSenders"],
  // What may run in the pages of the site.
  ...["site.csp", "htmlclean.enabled", "htmlclean.allowedTags", "htmlclean.allowedIframeDomains", "environment"],
]);

export function isPowerSetting(key: string): boolean {
  const [section = ""] = key.split(".");
  return others.has(key) || (key.includes(".") && sections.includes(section));
}
