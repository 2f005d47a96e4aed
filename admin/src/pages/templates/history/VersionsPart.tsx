// Earlier texts of a template: how they differ, and a way to take one back into the editor.

import type { TemplateVersion } from "@contract/templates.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LineDiff } from "#form/LineDiff.tsx";
import { Comparison, type Side, VersionList } from "#pages/objects/versions/VersionList.tsx";
import { versionQuery, versionsQuery } from "#pages/templates/template-calls.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { templateWords } from "#words/templates.ts";
import { versionWords } from "#words/versions.ts";

interface Props {
  id: string;
  /** As it is typed now. */
  text: string;
  /** undefined: it may not be changed. */
  onRestore: ((text: string) => void) | undefined;
}

export function VersionsPart(props: Props) {
  const words = useWords(templateWords);
  const query = useQuery(versionsQuery(props.id));
  return (
    <VersionList
      query={query}
      idOf={({ version }) => version}
      untilOf={({ replaced }) => replaced}
      replacedBy={words.replaced}
      empty={{ title: words.noVersions, text: words.noVersionsText }}
    >
      {(shown, before) => <TextComparison {...props} key={shown.version} version={shown} before={before} />}
    </VersionList>
  );
}

interface ComparisonProps extends Props {
  version: TemplateVersion;
  before: TemplateVersion | undefined;
}

function TextComparison({ id, text, onRestore, version, before }: ComparisonProps) {
  const words = useWords(templateWords);
  const ofVersions = useWords(versionWords);
  const [side, setSide] = useState<Side>("now");
  const isBefore = side === "before";
  const content = useQuery(versionQuery(id, version.version));
  const earlier = useQuery({ ...versionQuery(id, before?.version ?? ""), enabled: isBefore && before !== undefined });
  // From the older text to the newer one.
  const [from, to] = isBefore ? [earlier.data, content.data] : [content.data, text];
  const { data } = content;
  const canRestore = onRestore !== undefined && data !== undefined && data !== text;
  return (
    <Comparison
      label={ofVersions.until(formatMoment(version.replaced))}
      side={side}
      onSide={setSide}
      hasBefore={before !== undefined}
      error={content.error ?? earlier.error}
      onRetry={() => void Promise.all([content.refetch(), isBefore && earlier.refetch()])}
      isReady={from !== undefined && to !== undefined}
      isSame={from === to}
      restore={canRestore ? { help: words.restoreHelp, onPress: () => onRestore(data) } : undefined}
    >
      <LineDiff label={words.difference} before={from ?? ""} after={to ?? ""} />
    </Comparison>
  );
}
