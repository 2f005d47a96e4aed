// Commands that a manifest declares: they must not take words of the core, nor break the command line. Pure.

import { coreWords } from "#contract/command-words.ts";
import type { CommandContribution } from "#contract/extensions.ts";

const argumentList = /^(<[a-z][a-z0-9-]*>|\[[a-z][a-z0-9-]*\])( (<[a-z][a-z0-9-]*>|\[[a-z][a-z0-9-]*\]))*$/;
const flags = /^(?:-([A-Za-z]), )?--([a-z][a-z0-9-]*)(?: (<[a-z][a-z0-9|-]*>|\[[a-z][a-z0-9|-]*\]))?$/;
/** Every command has them. */
const taken = ["json", "data", "help", "h"];

export function checkCommands(commands: readonly CommandContribution[]): string[] {
  return commands.flatMap((command) => {
    const at = `contributes.commands.${command.name}`;
    return problemsOf(command).map((problem) => `${at}${problem}`);
  });
}

function problemsOf({ name, arguments: args = "", options = [] }: CommandContribution): string[] {
  const problems: string[] = [];
  const [word = ""] = name.split(":", 1);
  if (coreWords.has(word)) problems.push(`: "${word}" is a word of Cairn's own commands`);
  if (args !== "" && !argumentList.test(args)) problems.push(`.arguments: must be such as "<id> [more]"`);
  else if (/\].*</.test(args)) problems.push(".arguments: a needed one cannot follow an optional one");
  const seen = new Set(taken);
  for (const [text] of options) {
    const [, short, long, value] = flags.exec(text) ?? [];
    if (long === undefined || value?.startsWith("["))
      problems.push(`.options: "${text}" must be such as "--limit <n>"`);
    for (const one of [short, long]) {
      if (one !== undefined && seen.has(one)) problems.push(`.options: "${one}" is taken`);
      if (one !== undefined) seen.add(one);
    }
  }
  return problems;
}
