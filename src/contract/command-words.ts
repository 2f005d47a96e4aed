// The first words of the core's commands: commands of extensions begin with others.

export const coreWords: ReadonlySet<string> = new Set(["audit","automations","backup","cache","collection","completion","deck","deploy","dev","extension","file","files","group","help","images","index","info","jobs","jumpstart","key","mailer","mcp","oauth","object","pull","push","repair","schema","serve","server","settings","site","template","types","user","version","views","webhooks"]);
