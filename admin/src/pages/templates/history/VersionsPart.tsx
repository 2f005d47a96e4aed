// Earlier texts of a template: how they differ, and a way to take one back into the editor.

import type { TemplateVersion } from "@contract/templates.ts";
import { useQuery } from "@tanstack/react-query";
import { History, Undo2 } from "lucide-react";
import { useState } from "react";
import { LineDiff } from "#form/LineDiff.tsx";
import versionCss from "#pages/objects/versions/versions.module.css";
import { versionQuery, versionsQuery } from "#pages/templates/template-calls.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Icon } from "#ui/Icon.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { templateWords } from "#words/templates.ts";

interface Props {
  id: string;
  /** As it is typed now. */
  text: string;
  /** undefined: it may not be changed. */
  onRestore: ((text: string) => void) | undefined;
}

export function VersionsPart(props: Props) {
  const words = useWords(templateWords);
  const { data, error, isPending, refetch } = useQuery(versionsQuery(props.id));
  const [chosen, setChosen] = useState<string>();
  const isSlow = useDelayed(isPending, 300);
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return isSlow ? <Skeleton height="12rem" /> : null;
  if (data.length === 0) return <EmptyState title={words.noVersions} text={words.noVersionsText} />;
  const at = Math.max(
    0,
    data.findIndex(({ version }) => version === chosen),
  );
  const shown = data[at] as TemplateVersion;
  return (
    <div className={versionCss.versions}>
      <ul className={versionCss.list} aria-label={words.versions}>
        {data.map((one) => (
          <li key={one.version}>
            <button
              type="button"
              className={versionCss.version}
              aria-pressed={one === shown}
              onClick={() => setChosen(one.version)}
            >
              <Icon of={History} className={versionCss.icon} />
              <span className={versionCss.time}>{words.until(formatMoment(one.replaced))}</span>
              <span className={versionCss.door}>{words.replaced}</span>
            </button>
          </li>
        ))}
      </ul>
      <Comparison {...props} key={shown.version} version={shown} before={data[at + 1]} />
    </div>
  );
}

interface ComparisonProps extends Props {
  version: TemplateVersion;
  before: TemplateVersion | undefined;
}

function Comparison({ id, text, onRestore, version, before }: ComparisonProps) {
  const words = useWords(templateWords);
  const [side, setSide] = useState("now");
  const isBefore = side === "before";
  const content = useQuery(versionQuery(id, version.version));
  const earlier = useQuery({ ...versionQuery(id, before?.version ?? ""), enabled: isBefore && before !== undefined });
  // From the older text to the newer one.
  const [from, to] = isBefore ? [earlier.data, content.data] : [content.data, text];
  const failed = content.error ?? earlier.error;
  const isReady = from !== undefined && to !== undefined;
  const isSlow = useDelayed(!isReady, 300);
  return (
    <section className={versionCss.comparison} aria-label={words.until(formatMoment(version.replaced))}>
      <RadioGroup
        label={words.compareWith}
        look="segments"
        value={side}
        onChange={setSide}
        options={[
          { value: "now", label: words.now },
          { value: "before", label: words.before, isDisabled: before === undefined },
        ]}
        description={before === undefined ? words.first : undefined}
      />
      {failed ? (
        <Failed error={failed} onRetry={() => void Promise.all([content.refetch(), isBefore && earlier.refetch()])} />
      ) : !isReady ? (
        isSlow && <Skeleton height="8rem" />
      ) : from === to ? (
        <p className={versionCss.same}>{words.same}</p>
      ) : (
        <LineDiff label={words.difference} before={from} after={to} />
      )}
      {onRestore && content.data !== undefined && content.data !== text && (
        <div className={versionCss.restore}>
          <Button variant="primary" icon={Undo2} onPress={() => onRestore(content.data)}>
            {words.restore}
          </Button>
          <p className={versionCss.help}>{words.restoreHelp}</p>
        </div>
      )}
    </section>
  );
}
