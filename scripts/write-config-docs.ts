// Writes docs/config.md from the table in src/config/settings-table.ts. With --check it only says whether the file is up to date.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { isPowerSetting } from "#config/power-settings.ts";
import { settingsTable } from "#config/settings-table.ts";

interface Shown {
  default: unknown;
  about: string;
  env?: readonly string[];
  atStart?: true;
  secret?: true;
}

function rows(): string[] {
  return Object.entries<Shown>(settingsTable).map(([key, setting]) => {
    const marks = [
      setting.atStart && "Read at the start.",
      setting.secret && "Never shown.",
      isPowerSetting(key) && "Power.",
    ];
    const notes = [setting.about, ...marks];
    const env = setting.env?.map((name) => `\`${name}\``).join(", ") ?? "";
    return `| \`${key}\` | \`${JSON.stringify(setting.default)}\` | ${env} | ${notes.filter(Boolean).join(" ")} |`;
  });
}

const page = `# Settings

<!-- Written by scripts/write-config-docs.ts from src/config/settings-table.ts; do not edit. -->

Later wins: the defaults below, \`cairn.config.json\` in the project root, the environment,
\`.system/settings.json\` in the data directory, flags of the command line.
Both files hold JSON nested by section: \`sync.url\` is \`{"sync": {"url": "..."}}\`.
\`cairn settings:set KEY VALUE\` writes the second one; a running server takes the change up at once,
except for what is read at the start.

The data directory is chosen before all of these: \`--data DIR\`, \`CAIRN_DATA\`, \`data\` in \`cairn.config.json\`, or \`./data\`.
In the environment, lists are separated by commas.

"Power": the setting opens something, or leads it elsewhere, so a session takes a confirmed password to change it
([power changes](guides/security.md#power-changes)).

| Setting | Default | Environment | Meaning |
|---|---|---|---|
${rows().join("\n")}
`;

const file = resolve(import.meta.dirname, "..", "docs", "config.md");
if (!process.argv.includes("--check")) writeFileSync(file, page);
else if (!existsSync(file) || readFileSync(file, "utf8") !== page) {
  console.error("docs/config.md is out of date: run `bin/with-node node scripts/write-config-docs.ts`.");
  process.exitCode = 1;
}
