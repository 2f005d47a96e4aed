// Two contents side by side: what differs, name by name, with the words marked.

import type { JsonObject } from "@contract/json.ts";
import { useId, useMemo } from "react";
import marks from "#form/conflict/WordDiff.module.css";
import { type DiffPart, wordDiff } from "#form/word-diff.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { versionWords } from "#words/versions.ts";
import css from "./SideBySide.module.css";
import { type SideDifference, sideDifferences } from "./sides.ts";

interface Props {
  left: JsonObject | null;
  right: JsonObject | null;
  leftLabel: string;
  rightLabel: string;
}

export function SideBySide({ left, right, leftLabel, rightLabel }: Props) {
  const words = useWords(versionWords);
  const differences = useMemo(() => sideDifferences(left, right), [left, right]);
  if (differences.length === 0) return <p>{words.same}</p>;
  return (
    <ul className={css.differences}>
      {differences.map((difference) => (
        <Difference key={difference.name} difference={difference} leftLabel={leftLabel} rightLabel={rightLabel} />
      ))}
    </ul>
  );
}

interface DifferenceProps extends Pick<Props, "leftLabel" | "rightLabel"> {
  difference: SideDifference;
}

function Difference({ difference, leftLabel, rightLabel }: DifferenceProps) {
  const { name, left, right } = difference;
  const id = useId();
  return (
    <li className={css.difference}>
      <h3 id={id} className={css.name}>
        {name}
      </h3>
      <Sides left={left} right={right} leftLabel={leftLabel} rightLabel={rightLabel} />
    </li>
  );
}

interface SidesProps extends Pick<Props, "leftLabel" | "rightLabel"> {
  left: string;
  right: string;
}

/** Two texts beside each other. */
export function Sides({ left, right, leftLabel, rightLabel }: SidesProps) {
  const parts = useMemo(() => wordDiff(left, right), [left, right]);
  return (
    <div className={css.frame}>
      <div className={css.sides}>
        <Side label={leftLabel} parts={parts.filter(({ kind }) => kind !== "added")} />
        <Side label={rightLabel} parts={parts.filter(({ kind }) => kind !== "removed")} />
      </div>
    </div>
  );
}

function Side({ label, parts }: { label: string; parts: readonly DiffPart[] }) {
  const words = useWords(formWords);
  const ofVersions = useWords(versionWords);
  let at = 0;
  return (
    <figure className={css.side}>
      <figcaption className={css.label}>{label}</figcaption>
      <p className={css.text}>
        {parts.every(({ text }) => text === "") && <span className={css.none}>{ofVersions.empty}</span>}
        {parts.map(({ kind, text }) => {
          at += text.length + 1;
          if (kind === "same") return <span key={at}>{text}</span>;
          const Mark = kind === "added" ? "ins" : "del";
          return (
            <Mark key={at} className={marks[kind]}>
              <VisuallyHidden>{kind === "added" ? words.added : words.removed} </VisuallyHidden>
              {text}
            </Mark>
          );
        })}
      </p>
    </figure>
  );
}
