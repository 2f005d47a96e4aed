// What cannot be taken back, or takes long: rebuilding the index, deleting the collection.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { startQuery, useCan } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { settingsWords } from "#words/settings.ts";
import css from "./settings.module.css";

interface Props {
  collection: AdminCollection;
  /** Objects now. */
  total: number;
  /** Nothing of the page is to be kept. */
  onDeleted: () => void;
}

export function DangerTab({ collection, total, onDeleted }: Props) {
  const can = useCan();
  return (
    <div className={layout.page}>
      <Index collection={collection.id} />
      {can("delete", "collections") && <Deletion collection={collection} total={total} onDeleted={onDeleted} />}
    </div>
  );
}

type IndexState = { state: string; done: number; total: number };

function Index({ collection }: { collection: string }) {
  const words = useWords(settingsWords);
  const common = useWords(commonWords);
  const path = { collection };
  const rebuilding = useMutation({
    mutationFn: () => ask(routes.rebuildIndex, { path }),
    onSuccess: () => toast.good(words.rebuilt),
  });
  const progress = useQuery({
    queryKey: ["settings", collection, "index"],
    queryFn: async ({ signal }) => {
      const { index } = await askData<JsonObject>(routes.collectionSettings, { path, signal });
      return index as IndexState;
    },
    refetchInterval: ({ state }) => (rebuilding.isPending || state.data?.state === "rebuilding" ? 1000 : false),
  });
  const isRunning = rebuilding.isPending || progress.data?.state === "rebuilding";
  const { done = 0, total = 0 } = isRunning && progress.data?.state === "rebuilding" ? progress.data : {};
  return (
    <Slab as="section" className={layout.slab}>
      <h2 className={css.title}>{words.indexTitle}</h2>
      <p className={css.help}>{words.indexText}</p>
      {isRunning && (
        <Progress
          label={words.rebuilding}
          {...(total > 0 && { value: done, max: total, detail: words.indexed(done, total) })}
        />
      )}
      {rebuilding.error && (
        <div role="alert">
          <Notice tone="bad">{errorText(rebuilding.error, common).text}</Notice>
        </div>
      )}
      <div>
        <Button icon={RefreshCw} isPending={isRunning} onPress={() => rebuilding.mutate()}>
          {words.rebuild}
        </Button>
      </div>
    </Slab>
  );
}

function Deletion({ collection, total, onDeleted }: Props) {
  const { id, name } = collection;
  const words = useWords(settingsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useMutation({
    mutationFn: () => ask(routes.deleteCollection, { path: { collection: id }, query: { confirm: id } }),
    onSuccess: async () => {
      onDeleted();
      await navigate({ to: "/admin/collections", ignoreBlocker: true });
      toast.good(words.deleted(name));
      queries.removeQueries({ queryKey: ["objects", id] });
      await queries.invalidateQueries({ queryKey: startQuery.queryKey });
    },
  });
  return (
    <Slab as="section" className={layout.slab}>
      <h2 className={css.title}>{words.deleteTitle}</h2>
      <p className={css.help}>{words.deleteText(total)}</p>
      <div>
        <Button variant="danger" icon={Trash2} onPress={() => setIsAsking(true)}>
          {words.deleteButton}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={words.deleteAsk(name)}
          text={words.deleteWarning(name, total)}
          confirmLabel={words.deleteButton}
          tone="danger"
          typed={{ label: words.typeId(id), value: id }}
          isPending={deleting.isPending}
          error={deleting.error && errorText(deleting.error, common).text}
          onConfirm={() => deleting.mutate()}
          onCancel={() => {
            deleting.reset();
            setIsAsking(false);
          }}
        />
      )}
    </Slab>
  );
}
