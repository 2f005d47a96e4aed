// What an extension has logged, newest last; it can be followed.

import type { ExtensionLogLine } from "@contract/extensions.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Badge, type Tone } from "#ui/Badge.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import layout from "#ui/layout.module.css";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { Switch } from "#ui/Switch.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { extensionsWords } from "#words/extensions.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { placeOf } from "./extension-calls.ts";
import css from "./extensions.module.css";

const followMs = 2_000;
const keptLines = 200;
const tones: Record<ExtensionLogLine["level"], Tone> = { debug: "neutral", info: "info", warn: "warn", error: "bad" };

export function LogTab({ id }: { id: string }) {
  const words = useWords(extensionsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [isFollowing, setIsFollowing] = useState(true);
  const queryKey = ["extension-log", id];
  const log = useQuery({
    queryKey,
    refetchInterval: isFollowing ? followMs : false,
    // Only what came since: the lines before stay.
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<ExtensionLogLine[]>(queryKey) ?? [];
      const after = known.at(-1)?.id;
      const path = placeOf(id);
      const more = await askData<ExtensionLogLine[]>(routes.extensionLog, { path, query: { after }, signal });
      return [...known, ...more].slice(-keptLines);
    },
  });
  const isSlow = useDelayed(log.isPending, 300);
  const place = useRef<HTMLElement>(null);
  const last = log.data?.at(-1)?.id;
  useEffect(() => {
    if (isFollowing && last !== undefined) place.current?.scrollTo({ top: place.current.scrollHeight });
  }, [isFollowing, last]);
  if (log.isError && !log.data) return <Failed error={log.error} onRetry={() => void log.refetch()} />;
  if (!log.data) return isSlow ? <Skeleton height="16rem" /> : null;
  const text = log.data.map((line) => `${line.at} ${line.level} ${line.text}`).join("\n");
  return (
    <div className={css.part}>
      <div className={css.bar}>
        <p className={layout.quiet}>{words.logText}</p>
        <span className={css.buttons}>
          <Switch label={words.follow} isSelected={isFollowing} onChange={setIsFollowing} />
          {log.data.length > 0 && <CopyButton text={text} label={words.copyLog} copiedLabel={common.copied} />}
        </span>
      </div>
      {log.data.length === 0 ? (
        <Slab>
          <EmptyState title={words.log} text={words.logEmpty} />
        </Slab>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
        <section ref={place} className={css.log} role="log" aria-label={words.log} tabIndex={0}>
          <ol className={css.lines}>
            {log.data.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Line({ line }: { line: ExtensionLogLine }) {
  const words = useWords(extensionsWords);
  const { at, level, text, data } = line;
  const more = data === null || (typeof data === "object" && Object.keys(data).length === 0) ? "" : dataText(data);
  return (
    <li>
      <time dateTime={at}>{formatDateTime(at)}</time>
      <span>
        <Badge tone={tones[level]}>{words.levels[level]}</Badge>
      </span>
      <span className={css.text}>{text}</span>
      {more !== "" && <pre className={css.data}>{more}</pre>}
    </li>
  );
}

/** A stack is read as lines. */
function dataText(data: NonNullable<ExtensionLogLine["data"]>): string {
  if (typeof data !== "object" || Array.isArray(data)) return JSON.stringify(data);
  const { stack, ...others } = data;
  const named = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ""));
  const rest = Object.keys(named).length > 0 ? JSON.stringify(named) : "";
  return [rest, typeof stack === "string" ? stack : ""].filter(Boolean).join("\n");
}
