// The deliveries of a webhook, newest first: what was sent, what the receiver answered, and how to send one again.

import type { Delivery } from "@contract/webhooks.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import layout from "#ui/layout.module.css";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { webhookWords } from "#words/webhooks.ts";
import { DeliveryState } from "./DeliveryState.tsx";
import { deliveriesQuery, deliveryQuery, refreshWebhooks } from "./webhook-calls.ts";
import css from "./webhooks.module.css";

const pageSize = 50;

export function DeliveriesPart({ id }: { id: string }) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const heading = useId();
  const [limit, setLimit] = useState(pageSize);
  const found = useQuery(deliveriesQuery(id, limit));
  const isSlow = useDelayed(found.isPending, 300);
  const failed = found.data?.deliveries.filter(({ status }) => status === "failed").length;
  // The sidebar counts the same.
  const before = useRef(failed);
  useEffect(() => {
    if (before.current !== undefined && before.current !== failed)
      void queries.invalidateQueries({ queryKey: ["start"] });
    before.current = failed;
  }, [failed, queries]);
  const nameOf = ({ event, created }: Delivery) =>
    words.deliveryName(words.eventNames[event] ?? event, formatDateTime(created));

  const replay = async (delivery: Delivery) => {
    try {
      await askData(routes.replayDelivery, { path: { id, delivery: delivery.id } });
      toast.good(words.replayed);
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    await refreshWebhooks(queries);
  };

  return (
    <section aria-labelledby={heading} className={layout.part}>
      <h2 id={heading} className={layout.title}>
        {words.deliveries}
      </h2>
      {found.data ? (
        <RecordGrid
          label={words.deliveries}
          rows={found.data.deliveries}
          idOf={(delivery) => delivery.id}
          nameOf={nameOf}
          columns={[
            { id: "event", label: words.event, cell: ({ event }) => words.eventNames[event] ?? event },
            { id: "state", label: words.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
            {
              id: "answer",
              label: words.answer,
              cell: ({ responseStatus, error }) => <span className={css.clamped}>{responseStatus ?? error ?? ""}</span>,
            },
            { id: "attempts", label: words.attempts, align: "end", cell: ({ attempts }) => formatNumber(attempts) },
            {
              id: "when",
              label: words.when,
              cell: ({ created }) => <span title={formatDateTime(created)}>{formatAgo(created)}</span>,
            },
            {
              id: "next",
              label: words.nextTry,
              cell: ({ status, nextAttempt }) =>
                status === "queued" && nextAttempt !== null ? (
                  <span title={formatDateTime(nextAttempt)}>{formatAgo(nextAttempt)}</span>
                ) : (
                  ""
                ),
            },
            {
              id: "replay",
              label: words.replay,
              isLabelHidden: true,
              cell: (delivery) =>
                delivery.status !== "queued" && (
                  <Button
                    icon={RotateCw}
                    variant="quiet"
                    aria-label={`${words.replay} ${nameOf(delivery)}`}
                    onPress={() => void replay(delivery)}
                  >
                    {words.replay}
                  </Button>
                ),
            },
          ]}
          details={(delivery) => <DeliveryDetails id={id} delivery={delivery} />}
          detailsLabel={words.showDelivery}
          empty={<p className={layout.quiet}>{words.noDeliveries}</p>}
          footer={
            <div className={layout.footer}>
              <span className={layout.quiet}>{words.count(found.data.total)}</span>
              {found.data.total > found.data.deliveries.length && (
                <Button onPress={() => setLimit((before) => before + pageSize)}>{words.moreDeliveries}</Button>
              )}
            </div>
          }
        />
      ) : found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        isSlow && <Skeleton height="8rem" />
      )}
    </section>
  );
}

/** The request is fetched when it is looked at: it may hold a whole object. */
function DeliveryDetails({ id, delivery }: { id: string; delivery: Delivery }) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const { data, error, refetch } = useQuery(deliveryQuery(id, delivery.id));
  const headers = [
    "content-type: application/json",
    "user-agent: Cairn",
    `webhook-id: ${delivery.id}`,
    "webhook-timestamp: …",
    "webhook-signature: v1,…",
  ];
  const { response, responseStatus, error: reason, durationMs } = delivery;
  return (
    <div className={css.details}>
      {reason !== null && (
        <div>
          <h3 className={layout.label}>{words.error}</h3>
          <p className={layout.bad}>{reason}</p>
        </div>
      )}
      <div>
        <h3 className={layout.label}>{words.headers}</h3>
        <p className={layout.quiet}>{words.headersText}</p>
        <pre className={css.code} tabIndex={-1}>
          {headers.join("\n")}
        </pre>
      </div>
      <div>
        <h3 className={layout.label}>{words.body}</h3>
        {data ? (
          <>
            <pre className={css.code} tabIndex={-1}>
              {pretty(data.request)}
            </pre>
            <div className={css.below}>
              <CopyButton text={data.request} label={common.copy} copiedLabel={common.copied} />
            </div>
          </>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="6rem" />
        )}
      </div>
      <div>
        <h3 className={layout.label}>
          {words.response}
          {responseStatus !== null && ` · ${responseStatus}`}
          {durationMs !== null && ` · ${words.duration(formatNumber(durationMs))}`}
        </h3>
        {response === null ? (
          <p className={layout.quiet}>{words.noResponse}</p>
        ) : response === "" ? (
          <p className={layout.quiet}>{words.emptyResponse}</p>
        ) : (
          <pre className={css.code} tabIndex={-1}>
            {response}
          </pre>
        )}
      </div>
    </div>
  );
}

/** As it is sent, with lines; what is no JSON stays as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
