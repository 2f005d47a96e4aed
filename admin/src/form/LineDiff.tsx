// Two texts with the lines marked that were added and removed.

import { useMemo } from "react";
import { classes } from "#ui/classes.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./LineDiff.module.css";
import { lineDiff } from "./line-diff.ts";

interface Props {
  label: string;
  before: string;
  after: string;
}

const signs = { same: "", added: "+", removed: "−" };

export function LineDiff({ label, before, after }: Props) {
  const words = useWords(formWords);
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section className={css.frame} aria-label={label} tabIndex={0}>
      <div className={css.lines}>
        {lines.map((line) =>
          line.kind === "skipped" ? (
            <div key={`skipped ${line.line}`} className={css.skipped}>
              {words.sameLines(line.count)}
            </div>
          ) : (
            <div key={`${line.kind} ${line.line}`} className={classes(css.line, css[line.kind])}>
              <span className={css.number} aria-hidden="true">
                {line.line}
              </span>
              <span className={css.sign} aria-hidden="true">
                {signs[line.kind]}
              </span>
              <span className={css.text}>
                {line.kind !== "same" && (
                  <VisuallyHidden>{line.kind === "added" ? words.added : words.removed} </VisuallyHidden>
                )}
                {line.text}
              </span>
            </div>
          ),
        )}
      </div>
    </section>
  );
}
