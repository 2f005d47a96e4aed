// What an import has done, or would do: by what happened and by kind, with the first names.

import type { ImportReport, ItemRef } from "@contract/transfer.ts";
import { useEffect, useId, useRef } from "react";
import { Badge, type Tone } from "#ui/Badge.tsx";
import layout from "#ui/layout.module.css";
import { formatList } from "#words/format.ts";
import { jumpstartWords } from "#words/jumpstart.ts";
import { useWords } from "#words/language.ts";
import css from "./jumpstart.module.css";

const shownNames = 8;
const kinds = ["schema", "collection", "template", "object", "redirect"] as const;
const outcomes = ["created", "updated", "unchanged", "skipped"] as const;
const tones: Record<(typeof outcomes)[number], Tone> = {
  created: "good",
  updated: "info",
  unchanged: "neutral",
  skipped: "neutral",
};

export function Report({ report }: { report: ImportReport }) {
  const words = useWords(jumpstartWords);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (report) heading.current?.focus();
  }, [report]);
  const lines = outcomes.flatMap((what) =>
    kinds.map((kind) => ({ what, kind, items: report[what].filter((item) => item.kind === kind) })),
  );
  const shown = lines.filter(({ items }) => items.length > 0);
  return (
    <section aria-labelledby={id} className={css.report}>
      <h3 id={id} ref={heading} tabIndex={-1} className={css.subtitle}>
        {words.result}
      </h3>
      <p>{report.dryRun ? words.tried : words.stored}</p>
      {shown.length === 0 && <p className={layout.quiet}>{words.nothingIn}</p>}
      <ul className={css.lines}>
        {shown.map(({ what, kind, items }) => (
          <li key={what + kind} className={css.line}>
            <Badge tone={tones[what]}>{words[what]}</Badge>
            <span className={css.counted}>{words.kinds[kind](items.length)}</span>
            <span className={css.names}>{namesOf(items, words.more)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function namesOf(items: readonly ItemRef[], more: (count: number) => string): string {
  const names = items.slice(0, shownNames).map(({ collection, id }) => (collection ? `${collection}/${id}` : id));
  const left = items.length - names.length;
  return formatList(left > 0 ? [...names, more(left)] : names);
}
