// One extension: what it is and may do, its settings, what it has logged.

import type { ExtensionDetails } from "@contract/extensions.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { RotateCw, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { UndoButton } from "#pages/undo/UndoButton.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { LinkButton } from "#shell/links.tsx";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { ExtensionState } from "./ExtensionState.tsx";
import { extensionQuery, isUsable, placeOf, refreshExtensions } from "./extension-calls.ts";
import { LogTab } from "./LogTab.tsx";
import { OverviewTab } from "./OverviewTab.tsx";
import { RemoveExtension } from "./RemoveExtension.tsx";
import { useEnabling } from "./use-enabling.tsx";

const SettingsTab = lazy(() => import("./SettingsTab.tsx").then((part) => ({ default: part.SettingsTab })));

export function ExtensionPage() {
  const { vendor = "", name = "" } = useParams({ strict: false }) as { vendor?: string; name?: string };
  const id = `${vendor}/${name}`;
  const words = useWords(extensionsWords);
  const { manage } = useWords(shellWords);
  const isAllowed = useCan()("read", "admin");
  const found = useQuery({ ...extensionQuery(id), enabled: isAllowed });
  const isSlow = useDelayed(found.isPending, 300);
  const breadcrumbs = [{ label: manage }, { label: words.title, to: "/admin/extensions" as const }];
  if (!isAllowed) return <Page title={words.title} needs={false} />;
  const isMissing = found.error instanceof ApiError && found.error.status === 404;
  if (found.data && !isMissing) return <Opened key={id} extension={found.data} breadcrumbs={breadcrumbs} />;
  return (
    <Page title={isMissing ? words.missingTitle : id} breadcrumbs={breadcrumbs} isBusy={found.isPending}>
      {isMissing ? (
        <EmptyState
          title={id}
          text={words.missingText}
          action={<LinkButton to="/admin/extensions">{words.backToList}</LinkButton>}
        />
      ) : found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        isSlow && <Skeleton height="20rem" />
      )}
    </Page>
  );
}

const tabs = ["overview", "settings", "log"] as const;
type Tab = (typeof tabs)[number];

function Opened({ extension, breadcrumbs }: { extension: ExtensionDetails; breadcrumbs: Crumb[] }) {
  const { id, name, state, source } = extension;
  const words = useWords(extensionsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const enabling = useEnabling();
  const [isRemoving, setIsRemoving] = useState(false);
  const [isReloading, setIsReloading] = useState(false);
  const offered = tabs.filter((tab) => tab !== "settings" || extension.settings);
  const selected = offered.find((tab) => tab === search.tab) ?? "overview";

  const choose = (tab: Tab) =>
    void navigate({
      to: ".",
      search: tab === "overview" ? {} : { tab },
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);
  const reload = async () => {
    setIsReloading(true);
    try {
      await ask(routes.reloadExtension, { path: placeOf(id) });
      toast.good(words.reloaded);
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    setIsReloading(false);
    await refreshExtensions(queries);
  };
  useCommand({ id: "reload-extension", label: words.reload, run: () => void reload() });
  return (
    <Page
      title={name}
      breadcrumbs={breadcrumbs}
      status={<ExtensionState state={state} />}
      actions={
        <>
          <Switch
            label={words.enabled}
            isSelected={enabling.isOn(extension)}
            isDisabled={!isUsable(extension) && !extension.enabled}
            onChange={(isOn) => void enabling.set(extension, isOn)}
          />
          <Button icon={RotateCw} isPending={isReloading} onPress={() => void reload()}>
            {words.reload}
          </Button>
          <UndoButton by={{ extension: id }} name={name} />
          {source !== "bundled" && (
            <Button icon={Trash2} onPress={() => setIsRemoving(true)}>
              {words.remove}
            </Button>
          )}
        </>
      }
    >
      <Tabs
        label={words.tabs}
        tabs={offered.map((tab) => ({ id: tab, label: words[tab] }))}
        selected={selected}
        onSelect={(tab) => choose(tab as Tab)}
      >
        <Suspense fallback={<Skeleton height="12rem" />}>
          {selected === "settings" ? (
            <SettingsTab extension={extension} />
          ) : selected === "log" ? (
            <LogTab id={id} />
          ) : (
            <OverviewTab extension={extension} onReview={() => enabling.review(extension)} />
          )}
        </Suspense>
      </Tabs>
      {isRemoving && <RemoveExtension extension={extension} onClose={() => setIsRemoving(false)} />}
      {enabling.dialogs}
    </Page>
  );
}
