// Scripts that let a shell complete commands and their options. Generated from the catalogue, so they are always up to date.

import type { CommandEntry, OptionEntry } from "./catalogue/command-entry.ts";
import { UsageError } from "./usage.ts";

interface Word {
  name: string;
  about: string;
  options: { flag: string; about: string; takesValue: boolean }[];
  /** Values of its argument; otherwise files. */
  values?: string[];
}

const makers: Readonly<Record<string, (words: Word[]) => string>> = { bash, zsh, fish };

export function completionScript(shell: string, commands: readonly CommandEntry[]): string {
  const make = Object.hasOwn(makers, shell) ? makers[shell] : undefined;
  if (!make) throw new UsageError(`There is no script for this shell. Shells: ${Object.keys(makers).join(", ")}.`);
  const words = commands.map(readWord);
  const names = words.map(({ name }) => name);
  return make([
    ...words,
    { name: "completion", about: "Print a script for a shell", options: [], values: Object.keys(makers) },
    { name: "help", about: "Show all commands, or one of them", options: [], values: names },
  ]);
}

/** Declared only so that its use is answered with the replacement. */
const isGone = ([, about]: OptionEntry) => about.startsWith("removed:");

function readWord({ name, about, options = [], reports }: CommandEntry): Word {
  const own = options.filter((option) => !isGone(option)).map(([flags, text]) => ({ flags, about: text }));
  const shared = [
    ...(reports ? [{ flags: "--json", about: "print one JSON document" }] : []),
    { flags: "--data <dir>", about: "data directory" },
    { flags: "--help", about: "show help" },
  ];
  return {
    name: name.split(" ", 1)[0] as string,
    about,
    options: [...own, ...shared].map(({ flags, about: text }) => ({
      flag: /--[\w-]+/.exec(flags)?.[0] as string,
      about: text,
      takesValue: flags.includes("<"),
    })),
  };
}

/** A colon ends a word for bash, so the whole line is read, and the text before the colon is removed from the results. */
function bash(words: Word[]): string {
  const cases = words.map(
    ({ name, options, values = [] }) =>
      `    ${name}) words="${[...values, ...options.map(({ flag }) => flag)].join(" ")}" ;;`,
  );
  return `# Completion of cairn for bash: source <(cairn completion bash)
_cairn() {
  local line="\${COMP_LINE:0:COMP_POINT}" word words command
  word="\${line##* }"
  command="$(printf '%s' "$line" | awk '{ print $2 }')"
  case "$command" in
${cases.join("\n")}
    *) words="" ;;
  esac
  if [ "$command" = "$word" ]; then words="${words.map(({ name }) => name).join(" ")}"; fi
  local before="\${word%"\${word##*:}"}"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  COMPREPLY=("\${COMPREPLY[@]#"$before"}")
}
complete -o default -F _cairn cairn
`;
}

function zsh(words: Word[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const names = words.map(({ name, about }) => `    ${quoted(`${name.replaceAll(":", "\\:")}:${about}`)}`);
  const cases = words.map(({ name, options, values }) => {
    const specs = options.map(({ flag, about, takesValue }) =>
      quoted(`${flag}[${about.replaceAll(/[[\]]/g, "")}]${takesValue ? ":value:_files" : ""}`),
    );
    const rest = values
      ? `'1:value:(${values.map((value) => value.replaceAll(":", "\\:")).join(" ")})'`
      : "'*:file:_files'";
    return `    ${name}) _arguments ${[...specs, rest].join(" ")} ;;`;
  });
  return `#compdef cairn
# Completion of cairn for zsh: cairn completion zsh > "\${fpath[1]}/_cairn"
_cairn() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
# Loaded by the first completion, which it then has to answer; or by hand.
if [[ "\${funcstack[1]}" == _cairn ]]; then _cairn "$@"; else compdef _cairn cairn; fi
`;
}

function fish(words: Word[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = words.flatMap(({ name, about, options, values }) => [
    `complete -c cairn -f -n __fish_use_subcommand -a ${quoted(name)} -d ${quoted(about)}`,
    ...(values
      ? [`complete -c cairn -f -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -a ${quoted(values.join(" "))}`]
      : []),
    ...options.map(({ flag, about: text, takesValue }) => {
      const seen = quoted(`__fish_seen_subcommand_from ${name}`);
      return `complete -c cairn -n ${seen} -l ${flag.slice(2)} -d ${quoted(text)}${takesValue ? " -r" : ""}`;
    }),
  ]);
  return `# Completion of cairn for fish: cairn completion fish > ~/.config/fish/completions/cairn.fish\n${lines.join("\n")}\n`;
}
