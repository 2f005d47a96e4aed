// All automations: whether they are on, how their last runs went, when they run next.

import type { AutomationState } from "@contract/jobs.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, Pencil, Play, Plus, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { CopyDialog, DeleteDialog } from "#pages/objects/object-dialogs.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useCollection, useStart } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { automationsWords } from "#words/automations.ts";
import { commonWords } from "#words/common.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { automationsQuery, enableAutomation } from "./automation-calls.ts";
import css from "./automations.module.css";
import { LastRuns, StateBadge } from "./RunState.tsx";
import { automationsCollection } from "./tab-of.ts";

const RunDialog = lazy(() => import("./RunDialog.tsx").then((part) => ({ default: part.RunDialog })));

export function AutomationsPage() {
  const words = useWords(automationsWords);
  const common = useWords(commonWords);
  const { run } = useWords(shellWords);
  const { site } = useStart();
  const can = useCan();
  const navigate = useNavigate();
  const isPro = site.edition === "pro";
  const needs = can("read", "admin");
  const automations = useQuery({ ...automationsQuery, enabled: isPro && needs });
  const isSlow = useDelayed(automations.isPending && isPro, 300);
  const create = () => void navigate({ to: "/admin/automations/-new" });
  useShortcut("n", words.newAutomation, create, { when: isPro && needs });
  useCommand(isPro && needs ? { id: "new-automation", label: words.newAutomation, run: create } : undefined);
  const newLink = (label: string) => (
    <LinkButton to="/admin/automations/-new" variant="primary" icon={Plus}>
      {label}
    </LinkButton>
  );
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: run }]}
      needs={needs}
      isBusy={isPro && automations.isPending}
      actions={isPro && newLink(words.newAutomation)}
      isWide
    >
      {!isPro ? (
        <Notice tone="info">{words.needsPro(site.edition)}</Notice>
      ) : automations.data ? (
        <AutomationGrid automations={automations.data} firstLink={newLink(common.makeFirst)} />
      ) : automations.isError ? (
        <Failed error={automations.error} onRetry={() => void automations.refetch()} />
      ) : (
        isSlow && <Skeleton height="14rem" />
      )}
    </Page>
  );
}

interface Asked {
  what: "run" | "duplicate" | "delete";
  automation: AutomationState;
}

function AutomationGrid({ automations, firstLink }: { automations: AutomationState[]; firstLink: ReactNode }) {
  const words = useWords(automationsWords);
  const collection = useCollection(automationsCollection);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const reload = () => void queries.invalidateQueries({ queryKey: automationsQuery.queryKey });
  const columns: RecordColumn<AutomationState>[] = [
    {
      id: "name",
      label: words.name,
      sortBy: ({ name }) => name.toLowerCase(),
      cell: (automation) => (
        <span className={css.name}>
          <TextLink to="/admin/automations/$id" params={{ id: automation.id }} className={css.link}>
            {automation.name}
          </TextLink>
          <StateBadge state={automation} />
        </span>
      ),
    },
    { id: "enabled", label: words.enabled, width: "6rem", cell: (automation) => <EnabledSwitch state={automation} /> },
    {
      id: "triggers",
      label: words.triggers,
      cell: ({ triggers, open }) => {
        const types = triggers.map((type) => words.types[type as keyof typeof words.types] ?? type).join(", ");
        return open ? `${types} (${words.openToAll})` : types;
      },
    },
    { id: "runs", label: words.lastRuns, cell: (automation) => <LastRuns runs={automation.lastRuns} isShort /> },
    {
      id: "next",
      label: words.nextRun,
      sortBy: ({ next }) => next ?? "9",
      cell: ({ next }) => (next === null ? "" : <time dateTime={next}>{formatDateTime(next)}</time>),
    },
    {
      id: "waiting",
      label: words.waiting,
      cell: ({ queued, running }) =>
        [running > 0 && words.runningCount(running), queued > 0 && words.queuedCount(queued)]
          .filter(Boolean)
          .join(", "),
    },
  ];
  return (
    <>
      <RecordGrid
        label={words.title}
        columns={columns}
        rows={automations}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={(automation) => [
          {
            id: "open",
            label: words.open,
            icon: Pencil,
            onAction: () => void navigate({ to: "/admin/automations/$id", params: { id: automation.id } }),
          },
          { id: "run", label: words.runNow, icon: Play, onAction: () => setAsked({ what: "run", automation }) },
          {
            id: "duplicate",
            label: words.duplicate,
            icon: CopyPlus,
            onAction: () => setAsked({ what: "duplicate", automation }),
          },
          {
            section: "",
            items: [
              {
                id: "delete",
                label: words.delete,
                icon: Trash2,
                tone: "danger",
                onAction: () => setAsked({ what: "delete", automation }),
              },
            ],
          },
        ]}
        empty={<EmptyState title={words.emptyTitle} text={words.emptyText} action={firstLink} />}
      />
      {asked?.what === "run" && (
        <Suspense fallback={null}>
          <RunDialog id={asked.automation.id} name={asked.automation.name} onClose={close} />
        </Suspense>
      )}
      {asked?.what === "delete" && collection && (
        <DeleteDialog
          collection={collection}
          id={asked.automation.id}
          title={asked.automation.name}
          onCancel={close}
          onDeleted={() => {
            close();
            reload();
            toast.good(words.deleted);
          }}
        />
      )}
      {asked?.what === "duplicate" && collection && (
        <CopyDialog
          collection={collection}
          id={asked.automation.id}
          title={words.duplicateTitle(asked.automation.name)}
          text={words.duplicateText}
          action={words.duplicate}
          changes={undefined}
          etag=""
          onCancel={close}
          onMade={(made) => {
            close();
            reload();
            toast.good(words.duplicated);
            void navigate({ to: "/admin/automations/$id", params: { id: made } });
          }}
        />
      )}
    </>
  );
}

/** At once; it goes back where the server refuses. */
function EnabledSwitch({ state }: { state: AutomationState }) {
  const words = useWords(automationsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<boolean>();
  const change = async (isOn: boolean) => {
    setWanted(isOn);
    try {
      await enableAutomation(state.id, isOn);
      toast.good(isOn ? words.isOn(state.name) : words.isOff(state.name));
      void queries.invalidateQueries({ queryKey: ["start"] });
      void queries.invalidateQueries({ queryKey: ["objects", automationsCollection] });
      await queries.invalidateQueries({ queryKey: automationsQuery.queryKey });
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    setWanted(undefined);
  };
  return (
    <Switch
      label={words.enabled}
      isLabelHidden
      isSelected={wanted ?? state.enabled}
      onChange={(isOn) => void change(isOn)}
    />
  );
}
