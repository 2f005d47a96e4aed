// What a form has judged spam: read, and stored after all.

import type { RejectedSending } from "@contract/forms.ts";
import type { Json } from "@contract/json.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import css from "#pages/collections/settings/settings.module.css";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formSettingsWords } from "#words/form-settings.ts";
import { formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { rejectedQuery, siteFormsQuery } from "./rejected-calls.ts";

interface Props {
  collection: string;
  name: string;
  onClose: () => void;
}

export function Rejected({ collection, name, onClose }: Props) {
  const words = useWords(formSettingsWords);
  const { close } = useWords(commonWords);
  const client = useQueryClient();
  const list = useQuery(rejectedQuery(collection, name));
  const accepting = useMutation({
    mutationFn: (id: string) => ask(routes.acceptRejected, { path: { collection, name, id } }),
    onSuccess: () => {
      toast.good(words.accepted);
      void client.invalidateQueries({ queryKey: siteFormsQuery.queryKey });
      void client.invalidateQueries({ queryKey: ["objects", collection] });
    },
  });
  const { rejected = [], total = 0 } = list.data ?? {};
  return (
    <Dialog
      title={words.rejectedTitle(name)}
      size="large"
      onClose={onClose}
      footer={<Button onPress={onClose}>{close}</Button>}
    >
      <div className={css.stack}>
        <p className={css.help}>{words.rejectedText}</p>
        {accepting.error && <Problem error={accepting.error} />}
        {list.error && <Failed error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <Skeleton height="8rem" />}
        {list.data && (
          <RecordGrid
            label={words.rejectedTitle(name)}
            rows={rejected}
            idOf={({ id }) => id}
            nameOf={({ created }) => formatDateTime(created)}
            columns={[
              { id: "sent", label: words.sent, width: "11rem", cell: ({ created }) => formatDateTime(created) },
              {
                id: "reason",
                label: words.reason,
                cell: ({ reason }) => <Badge tone="warn">{words.reasons[reason] ?? reason}</Badge>,
              },
              { id: "content", label: words.content, cell: (sending) => <Content sending={sending} /> },
              {
                id: "accept",
                label: words.accept,
                isLabelHidden: true,
                width: "1%",
                cell: ({ id, created }) => (
                  <Button
                    isPending={accepting.isPending && accepting.variables === id}
                    onPress={() => accepting.mutate(id)}
                    aria-label={words.acceptOf(formatDateTime(created))}
                  >
                    {words.accept}
                  </Button>
                ),
              },
            ]}
            empty={<p role="status">{words.noneRejected}</p>}
            footer={
              total > rejected.length && <p>{words.newest(formatNumber(rejected.length), formatNumber(total))}</p>
            }
          />
        )}
      </div>
    </Dialog>
  );
}

function Content({ sending: { values } }: { sending: RejectedSending }) {
  return (
    <dl className={css.sending}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
