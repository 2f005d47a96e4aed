// Earlier versions of something, newest first, and how the chosen one differs from now or from the one before it.

import { History, Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Icon } from "#ui/Icon.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { versionWords } from "#words/versions.ts";
import css from "./versions.module.css";

interface ListProps<Version> {
  query: { data: readonly Version[] | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  idOf: (version: Version) => string;
  /** When it was replaced. */
  untilOf: (version: Version) => string;
  /** What replaced it. */
  replacedBy: string;
  empty: { title: string; text: string };
  /** The comparison of the chosen one; `before`: the one that it replaced. */
  children: (shown: Version, before: Version | undefined) => ReactNode;
}

export function VersionList<Version>({ query, idOf, untilOf, replacedBy, empty, children }: ListProps<Version>) {
  const words = useWords(versionWords);
  const [chosen, setChosen] = useState<string>();
  const { data, error, isPending, refetch } = query;
  const isSlow = useDelayed(isPending, 300);
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return isSlow ? <Skeleton height="12rem" /> : null;
  const at = Math.max(
    0,
    data.findIndex((version) => idOf(version) === chosen),
  );
  const shown = data[at];
  if (shown === undefined) return <EmptyState {...empty} />;
  return (
    <div className={css.versions}>
      <ul className={css.list} aria-label={words.versions}>
        {data.map((one) => (
          <li key={idOf(one)}>
            <button
              type="button"
              className={css.version}
              aria-pressed={one === shown}
              onClick={() => setChosen(idOf(one))}
            >
              <Icon of={History} className={css.icon} />
              <span className={css.time}>{words.until(formatMoment(untilOf(one)))}</span>
              <span className={css.door}>{replacedBy}</span>
            </button>
          </li>
        ))}
      </ul>
      {children(shown, data[at + 1])}
    </div>
  );
}

export type Side = "now" | "before";

interface ComparisonProps {
  /** Names the version. */
  label: string;
  side: Side;
  onSide: (side: Side) => void;
  hasBefore: boolean;
  error: unknown;
  onRetry: () => void;
  /** Both sides are there. */
  isReady: boolean;
  isSame: boolean;
  /** What the button puts back; undefined: there is nothing to put back, or it may not be. */
  restore: { help: string; onPress: () => void; more?: ReactNode } | undefined;
  /** The differences. */
  children: ReactNode;
}

export function Comparison(props: ComparisonProps) {
  const { label, side, onSide, hasBefore, error, onRetry, isReady, isSame, restore, children } = props;
  const words = useWords(versionWords);
  const isSlow = useDelayed(!isReady, 300);
  return (
    <section className={css.comparison} aria-label={label}>
      <RadioGroup
        label={words.compareWith}
        look="segments"
        value={side}
        onChange={(next) => onSide(next as Side)}
        options={[
          { value: "now", label: words.now },
          { value: "before", label: words.before, isDisabled: !hasBefore },
        ]}
        description={hasBefore ? undefined : words.first}
      />
      {error ? (
        <Failed error={error} onRetry={onRetry} />
      ) : !isReady ? (
        isSlow && <Skeleton height="8rem" />
      ) : isSame ? (
        <p className={css.same}>{words.same}</p>
      ) : (
        children
      )}
      {restore && (
        <div className={css.restore}>
          <Button variant="primary" icon={Undo2} onPress={restore.onPress}>
            {words.restore}
          </Button>
          {restore.more}
          <p className={css.help}>{restore.help}</p>
        </div>
      )}
    </section>
  );
}
