// A text with the words marked that were added and removed.

import { useMemo } from "react";
import { wordDiff } from "#form/word-diff.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./WordDiff.module.css";

export function WordDiff({ before, after }: { before: string; after: string }) {
  const words = useWords(formWords);
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  let at = 0;
  return parts.map(({ kind, text }) => {
    at += text.length + 1;
    if (kind === "same") return <span key={at}>{text}</span>;
    const Mark = kind === "added" ? "ins" : "del";
    return (
      <Mark key={at} className={css[kind]}>
        <VisuallyHidden>{kind === "added" ? words.added : words.removed} </VisuallyHidden>
        {text}
      </Mark>
    );
  });
}
