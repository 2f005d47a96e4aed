// All extensions: where they come from, how they are, and whether they are on.

import type { ExtensionRecord } from "@contract/extensions.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ClipboardCheck, Puzzle } from "lucide-react";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import layout from "#ui/layout.module.css";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { ExtensionState } from "./ExtensionState.tsx";
import { extensionsQuery, isUsable, placeOf } from "./extension-calls.ts";
import css from "./extensions.module.css";
import { useEnabling } from "./use-enabling.tsx";

export function ExtensionsPage() {
  const words = useWords(extensionsWords);
  const { manage } = useWords(shellWords);
  const isAllowed = useCan()("read", "admin");
  const found = useQuery({ ...extensionsQuery, enabled: isAllowed });
  const isSlow = useDelayed(found.isPending, 300);
  return (
    <Page title={words.title} breadcrumbs={[{ label: manage }]} needs={isAllowed} isBusy={found.isPending}>
      <p className={layout.intro}>{words.intro}</p>
      {found.data ? (
        <ExtensionList extensions={found.data} />
      ) : found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        isSlow && <Skeleton height="12rem" />
      )}
    </Page>
  );
}

function ExtensionList({ extensions }: { extensions: ExtensionRecord[] }) {
  const words = useWords(extensionsWords);
  const navigate = useNavigate();
  const enabling = useEnabling();
  return (
    <>
      <RecordGrid
        label={words.title}
        rows={extensions}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          {
            id: "name",
            label: words.name,
            sortBy: ({ name }) => name,
            cell: ({ id, name, description }) => (
              <span className={css.names}>
                <TextLink to="/admin/extensions/$vendor/$name" params={placeOf(id)}>
                  {name}
                </TextLink>
                <code className={css.id}>{id}</code>
                {description !== "" && <span className={layout.quiet}>{description}</span>}
              </span>
            ),
          },
          {
            id: "state",
            label: words.state,
            sortBy: ({ state }) => words.states[state],
            cell: ({ state, error }) => (
              <span className={css.names}>
                <span>
                  <ExtensionState state={state} />
                </span>
                {error !== null && <span className={css.clamped}>{error}</span>}
              </span>
            ),
          },
          {
            id: "source",
            label: words.source,
            sortBy: ({ source }) => words.sources[source],
            cell: ({ source }) => words.sources[source],
          },
          { id: "version", label: words.version, cell: ({ version }) => version },
          {
            id: "enabled",
            label: words.enabled,
            width: "6rem",
            cell: (extension) => (
              <Switch
                label={words.enabledOf(extension.name)}
                isLabelHidden
                isDisabled={!isUsable(extension) && !extension.enabled}
                isSelected={enabling.isOn(extension)}
                onChange={(isOn) => void enabling.set(extension, isOn)}
              />
            ),
          },
        ]}
        actions={(extension) => [
          {
            id: "open",
            label: words.open,
            icon: Puzzle,
            onAction: () => void navigate({ to: "/admin/extensions/$vendor/$name", params: placeOf(extension.id) }),
          },
          {
            id: "review",
            label: words.review,
            icon: ClipboardCheck,
            isDisabled: !isUsable(extension),
            onAction: () => enabling.review(extension),
          },
        ]}
        actionsLabel={words.actionsFor}
        empty={<EmptyState title={words.emptyTitle} text={words.emptyText} />}
      />
      {enabling.dialogs}
    </>
  );
}
