// What differs, property by property, with the words marked; in front of each a box that chooses it.

import { WordDiff } from "#form/conflict/WordDiff.tsx";
import { Sides } from "#form/difference/SideBySide.tsx";
import { useFormScope } from "#form/form-context.ts";
import { readable } from "#form/readable.ts";
import type { Value } from "#form/values.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { useWords } from "#words/language.ts";
import { versionWords } from "#words/versions.ts";
import { canRestore, type Difference } from "./differences.ts";
import css from "./versions.module.css";

interface Props {
  differences: readonly Difference[];
  /** undefined: there is nothing to choose. */
  chosen: ReadonlySet<string> | undefined;
  onChoose: (property: string, isChosen: boolean) => void;
  /** How the files of a version come back; undefined: they are not part of it. */
  filesHelp?: string | undefined;
  /** Old and new stand beside each other under these names; undefined: in one text. */
  sides?: { from: string; to: string };
}

/** A longer text is a page of its own. */
const maxText = 20_000;

const codeKinds = new Set(["code", "json", "svg", "array", "object"]);
const isCode = ({ kind }: Difference["property"]) => codeKinds.has(kind);

export function DifferenceList({ differences, chosen, onChoose, filesHelp, sides }: Props) {
  const words = useWords(versionWords);
  const { field } = useFormScope();
  const shown = (value: Value, { property }: Difference) => {
    const text = readable(value, property, field);
    return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
  };
  return (
    <ul className={css.differences} aria-label={words.chosen}>
      {differences.map((difference) => {
        const { property, from, to } = difference;
        const { name, label } = property;
        return (
          <li key={name} className={css.difference}>
            {chosen && (canRestore(property) || filesHelp !== undefined) ? (
              <Checkbox label={label} isSelected={chosen.has(name)} onChange={(isChosen) => onChoose(name, isChosen)} />
            ) : (
              <span className={css.label}>{label}</span>
            )}
            {chosen && !canRestore(property) && <p className={css.help}>{filesHelp ?? words.filesStay}</p>}
            {sides ? (
              <Sides
                leftLabel={sides.from}
                rightLabel={sides.to}
                left={shown(from, difference)}
                right={shown(to, difference)}
              />
            ) : (
              <p className={classes(css.text, isCode(property) && css.code)}>
                <WordDiff before={shown(from, difference)} after={shown(to, difference) || words.empty} />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
