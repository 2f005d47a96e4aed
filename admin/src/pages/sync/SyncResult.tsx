// What a push or a pull has done, item by item. It stays on the page.

import type { ItemRef, SyncDone } from "@contract/transfer.ts";
import { useEffect, useId, useRef } from "react";
import { TextLink } from "#shell/links.tsx";
import { Badge, type Tone } from "#ui/Badge.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { syncWords } from "#words/sync.ts";
import css from "./sync.module.css";
import { keyOf, nounOf } from "./sync-items.ts";

const tones: { [what: string]: Tone } = { created: "good", updated: "info", unchanged: "neutral", skipped: "warn" };

export function SyncResult({ done }: { done: SyncDone }) {
  const words = useWords(syncWords);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { direction, remote, result, failure } = done;
  useEffect(() => {
    if (done) heading.current?.focus();
  }, [done]);
  const labels = {
    created: words.created,
    updated: words.replaced,
    unchanged: words.unchanged,
    skipped: words.skipped,
  };
  return (
    <Slab as="section" aria-labelledby={id} className={css.result}>
      <h2 id={id} ref={heading} tabIndex={-1} className={css.title}>
        {words.result}
      </h2>
      <p>{direction === "push" ? words.pushedTo(remote) : words.pulledFrom(remote)}</p>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <ul className={css.lines}>
        {(["created", "updated", "skipped", "unchanged"] as const).flatMap((what) =>
          result[what].map((item) => (
            <li key={what + keyOf(item)} className={css.line}>
              <Badge tone={tones[what] ?? "neutral"}>{labels[what]}</Badge>
              <span className={css.id}>
                {words.nouns[nounOf(item)]} {nounOf(item) === "object" && `${item.collection}/`}
                {item.id}
              </span>
              {direction === "pull" && what === "updated" && hasSnapshot(item) && (
                <TextLink to="/admin/utils/backups" search={{ search: item.id }}>
                  {words.snapshot}
                </TextLink>
              )}
            </li>
          )),
        )}
      </ul>
    </Slab>
  );
}

/** Templates have versions of their own. */
function hasSnapshot({ kind }: ItemRef): boolean {
  return kind !== "template";
}
