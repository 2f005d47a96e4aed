// One webhook, or a new one.

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ApiError } from "#api/api-error.ts";
import { findKept } from "#form/use-kept.ts";
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
import { fetchWebhook } from "./webhook-calls.ts";
import { keptWebhooks } from "./webhook-values.ts";

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
  return <NewWebhook />;
}

/** With what was typed and not saved. */
function NewWebhook() {
  const words = useWords(webhookWords);
  const { user } = useStart();
  const opened = useQuery({
    queryKey: ["webhooks", "-new"],
    queryFn: async () => ({ kept: await findKept({ user: user.id, collection: keptWebhooks, id: "-new" }) }),
    ...once,
  });
  if (opened.data) return <WebhookEditor stored={undefined} kept={opened.data.kept} />;
  return <Page title={words.newWebhook} isBusy />;
}

export function WebhookPage() {
  const { id = "" } = useParams({ strict: false });
  const words = useWords(webhookWords);
  const can = useCan();
  const { run } = useWords(shellWords);
  const breadcrumbs = [{ label: run }, { label: words.title, to: "/admin/webhooks" as const }];
  const { user } = useStart();
  const hook = useQuery({
    queryKey: ["webhook", id],
    queryFn: async ({ signal }) => {
      const [stored, kept] = await Promise.all([
        fetchWebhook(id, signal),
        findKept({ user: user.id, collection: keptWebhooks, id }),
      ]);
      return { stored, kept };
    },
    ...{ ...once, enabled: can("read", "admin") },
  });
  const isSlow = useDelayed(hook.isPending, 300);
  if (!can("read", "admin")) return <Page title={words.title} needs={false} />;
  if (hook.data) return <WebhookEditor key={id} {...hook.data} />;
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
