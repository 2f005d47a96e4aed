// All webhooks: what they are sent for, whether they are on, how the last delivery went.

import type { ListedWebhook } from "@contract/webhooks.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus, Trash2, TriangleAlert, Webhook } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useSwitched } from "#shell/use-switched.ts";
import { Badge } from "#ui/Badge.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { webhookWords } from "#words/webhooks.ts";
import { DeleteWebhook } from "./DeleteWebhook.tsx";
import { DeliveryState } from "./DeliveryState.tsx";
import { refreshWebhooks, titleOf, webhooksQuery } from "./webhook-calls.ts";
import css from "./webhooks.module.css";

export function WebhooksPage() {
  const words = useWords(webhookWords);
  const { run } = useWords(shellWords);
  const can = useCan();
  const { site } = useStart();
  const navigate = useNavigate();
  const isPro = site.edition === "pro";
  const isAllowed = can("read", "admin");
  const hooks = useQuery({ ...webhooksQuery, enabled: isPro && isAllowed });
  const isSlow = useDelayed(hooks.isPending, 300);
  useCommand(
    isPro && isAllowed
      ? { id: "new-webhook", label: words.newWebhook, run: () => void navigate({ to: "/admin/webhooks/-new" }) }
      : undefined,
  );
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: run }]}
      needs={isAllowed}
      isBusy={isPro && hooks.isPending}
      actions={
        isPro && (
          <LinkButton to="/admin/webhooks/-new" variant="primary" icon={Plus}>
            {words.newWebhook}
          </LinkButton>
        )
      }
    >
      {!isPro ? (
        <Notice tone="info">{words.needsPro(site.edition)}</Notice>
      ) : hooks.data ? (
        <WebhookList hooks={hooks.data} />
      ) : hooks.isError ? (
        <Failed error={hooks.error} onRetry={() => void hooks.refetch()} />
      ) : (
        isSlow && <Skeleton height="12rem" />
      )}
    </Page>
  );
}

function WebhookList({ hooks }: { hooks: ListedWebhook[] }) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [removing, setRemoving] = useState<ListedWebhook>();

  const switches = useSwitched({
    save: (id, active) => askData(routes.patchWebhook, { path: { id }, body: { active } }),
    said: (isOn) => (isOn ? words.on : words.off),
    refresh: () => refreshWebhooks(queries),
  });

  return (
    <>
      <RecordGrid
        label={words.title}
        rows={hooks}
        idOf={({ id }) => id}
        nameOf={titleOf}
        columns={[
          {
            id: "name",
            label: words.name,
            sortBy: titleOf,
            cell: (hook) => (
              <span className={css.names}>
                <TextLink to="/admin/webhooks/$id" params={{ id: hook.id }}>
                  {titleOf(hook)}
                </TextLink>
                {hook.name !== "" && <code className={css.address}>{hook.url}</code>}
              </span>
            ),
          },
          { id: "events", label: words.events, cell: (hook) => <EventList hook={hook} /> },
          {
            id: "last",
            label: words.lastDelivery,
            sortBy: ({ lastDelivery }) => lastDelivery?.created ?? "",
            cell: (hook) => <LastDelivery hook={hook} />,
          },
          {
            id: "enabled",
            label: words.enabled,
            width: "6rem",
            cell: (hook) => (
              <Switch
                label={words.enabledOf(titleOf(hook))}
                isLabelHidden
                isSelected={switches.isOn(hook.id, hook.active)}
                onChange={(isOn) => void switches.set(hook.id, isOn)}
              />
            ),
          },
        ]}
        actions={(hook) => [
          {
            id: "open",
            label: words.open,
            icon: Webhook,
            onAction: () => void navigate({ to: "/admin/webhooks/$id", params: { id: hook.id } }),
          },
          { id: "delete", label: common.delete, icon: Trash2, tone: "danger", onAction: () => setRemoving(hook) },
        ]}
        actionsLabel={words.actionsFor}
        empty={
          <EmptyState
            title={words.emptyTitle}
            text={words.emptyText}
            action={
              <LinkButton to="/admin/webhooks/-new" icon={Plus}>
                {common.makeFirst}
              </LinkButton>
            }
          />
        }
      />
      {removing && (
        <DeleteWebhook
          hook={removing}
          onCancel={() => setRemoving(undefined)}
          onDeleted={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function EventList({ hook }: { hook: ListedWebhook }) {
  const words = useWords(webhookWords);
  const { collections } = useStart();
  const events = hook.events.includes("*")
    ? words.everyEvent
    : hook.events.map((event) => words.eventNames[event] ?? event).join(", ");
  const names = hook.collections.map((id) => collections.find((one) => one.id === id)?.name ?? id);
  return (
    <span className={css.names}>
      <span className={css.clamped}>{events}</span>
      {names.length > 0 && <span className={layout.quiet}>{names.join(", ")}</span>}
    </span>
  );
}

function LastDelivery({ hook }: { hook: ListedWebhook }) {
  const words = useWords(webhookWords);
  const { lastDelivery, failingSince, disabledReason, active } = hook;
  return (
    <span className={layout.row}>
      {lastDelivery ? (
        <>
          <DeliveryState delivery={lastDelivery} />
          <span className={layout.quiet} title={formatDateTime(lastDelivery.created)}>
            {formatAgo(lastDelivery.created)}
          </span>
        </>
      ) : (
        <span className={layout.quiet}>{words.never}</span>
      )}
      {disabledReason !== null && !active ? (
        <Badge tone="bad" icon={TriangleAlert}>
          {words.switchedOff}
        </Badge>
      ) : (
        failingSince !== null && (
          <Badge tone="warn" icon={TriangleAlert}>
            {words.failing}
          </Badge>
        )
      )}
    </span>
  );
}
