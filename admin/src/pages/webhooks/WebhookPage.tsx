// One webhook, or a new one.

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ApiError } from "#api/api-error.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { webhookWords } from "#words/webhooks.ts";
import { WebhookEditor } from "./WebhookEditor.tsx";
import { webhookQuery } from "./webhook-calls.ts";

/** What is typed must not change because somebody looks at another window. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const;

export function NewWebhookPage() {
  const words = useWords(webhookWords);
  const can = useCan();
  const { site } = useStart();
  if (!can("create", "admin")) return <Page title={words.newWebhook} needs={false} />;
  if (site.edition !== "pro")
    return (
      <Page title={words.newWebhook}>
        <Notice tone="info">{words.needsPro(site.edition)}</Notice>
      </Page>
    );
  return <WebhookEditor stored={undefined} />;
}

export function WebhookPage() {
  const { id = "" } = useParams({ strict: false });
  const words = useWords(webhookWords);
  const can = useCan();
  const { run } = useWords(shellWords);
  const breadcrumbs = [{ label: run }, { label: words.title, to: "/admin/webhooks" as const }];
  const hook = useQuery({ ...webhookQuery(id), ...once, enabled: can("read", "admin") });
  const isSlow = useDelayed(hook.isPending, 300);
  if (!can("read", "admin")) return <Page title={words.title} needs={false} />;
  if (hook.data) return <WebhookEditor key={id} stored={hook.data} />;
  const isMissing = hook.error instanceof ApiError && hook.error.status === 404;
  return (
    <Page title={isMissing ? words.missingTitle : id} breadcrumbs={breadcrumbs} isBusy={hook.isPending}>
      {isMissing ? (
        <EmptyState
          title={id}
          text={words.missingText}
          action={<LinkButton to="/admin/webhooks">{words.backToList}</LinkButton>}
        />
      ) : hook.isError ? (
        <Failed error={hook.error} onRetry={() => void hook.refetch()} />
      ) : (
        isSlow && <Skeleton height="16rem" />
      )}
    </Page>
  );
}
