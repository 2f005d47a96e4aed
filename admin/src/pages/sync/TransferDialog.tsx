// Before a push or a pull: what will be created, replaced and skipped, and where. Overwriting what is newer takes a tick.

import type { Comparison, SyncDirection, SyncDone } from "@contract/transfer.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useErrorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { commonWords } from "#words/common.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { syncWords } from "#words/sync.ts";
import css from "./sync.module.css";
import { isOlder, nounOf, orderOf, outlookOf, receiverOf, seedOutlook } from "./sync-items.ts";
import { useSeedItems } from "./use-seeds.ts";

interface Props {
  direction: SyncDirection;
  remote: string;
  items: readonly Comparison[];
  seeds: readonly string[];
  overwrite: boolean;
  onDone: (done: SyncDone) => void;
  onClose: () => void;
}

const shownNames = 12;

export function TransferDialog({ direction, remote, items, seeds, overwrite, onDone, onClose }: Props) {
  const words = useWords(syncWords);
  const common = useWords(commonWords);
  const [overwritesNewer, setOverwritesNewer] = useState(false);
  const [overwritesSeeds, setOverwritesSeeds] = useState(false);
  const objects = useSeedItems(seeds);
  const older = items.filter((item) => isOlder(item, direction));
  const existing = overwrite ? (objects ?? []).filter(({ status }) => status === "differs") : [];
  const ofItems = outlookOf(items, { direction, overwritesNewer });
  const ofSeeds = seedOutlook(objects ?? [], overwrite && overwritesSeeds);
  const sent = items.filter((item) => !ofItems.skipped.includes(item));
  const order = orderOf(sent, { seeds, overwrite: overwrite && overwritesSeeds, keepNewer: !overwritesNewer });
  const move = useMutation({
    mutationFn: () => askData<SyncDone>(direction === "push" ? routes.syncPush : routes.syncPull, { body: order }),
    onSuccess: onDone,
  });
  const count = items.length + seeds.length;
  const isReady = order !== undefined && (seeds.length === 0 || objects !== undefined);
  return (
    <Dialog
      role="alertdialog"
      title={direction === "push" ? words.pushItems(count) : words.pullItems(count)}
      onClose={onClose}
      onSubmit={() => isReady && !move.isPending && move.mutate()}
      footer={
        <>
          <Button onPress={onClose} autoFocus>
            {common.cancel}
          </Button>
          <Button type="submit" variant="primary" isPending={move.isPending} isDisabled={!isReady}>
            {direction === "push" ? words.push : words.pull}
          </Button>
        </>
      }
    >
      <p className={css.where}>{direction === "push" ? words.pushTo(remote) : words.pullFrom(remote)}</p>
      <dl className={css.outlook}>
        <Names title={words.created} items={[...ofItems.created, ...ofSeeds.created]} />
        <Names title={words.replaced} items={[...ofItems.replaced, ...ofSeeds.replaced]} />
        <Names title={words.skipped} items={[...ofItems.skipped, ...ofSeeds.skipped]} />
      </dl>
      {older.length > 0 && (
        <Checkbox
          label={words.overwriteNewer}
          description={words.overwriteNewerHelp(words.sides[receiverOf(direction)])}
          isSelected={overwritesNewer}
          onChange={setOverwritesNewer}
        />
      )}
      {existing.length > 0 && (
        <Checkbox
          label={words.overwriteSeeds}
          description={words.overwriteSeedsHelp}
          isSelected={overwritesSeeds}
          onChange={setOverwritesSeeds}
        />
      )}
      {order === undefined && <Notice tone="info">{words.nothingLeft}</Notice>}
      {move.isPending && <Progress label={words.working[direction]} />}
      {move.error && <Refusal error={move.error} />}
    </Dialog>
  );
}

function Names({ title, items }: { title: string; items: readonly Comparison[] }) {
  const words = useWords(syncWords);
  const common = useWords(commonWords);
  const names = items
    .slice(0, shownNames)
    .map(
      (item) =>
        `${words.nouns[nounOf(item)]} ${item.kind === "object" && nounOf(item) === "object" ? `${item.collection}/` : ""}${item.id}`,
    );
  const more = items.length - names.length;
  return (
    <div>
      <dt>{`${title} (${items.length})`}</dt>
      <dd>{names.length === 0 ? common.none : formatList(more > 0 ? [...names, words.moreNames(more)] : names)}</dd>
    </div>
  );
}

function Refusal({ error }: { error: unknown }) {
  const words = useWords(syncWords);
  const { text } = useErrorText(error);
  return (
    <div role="alert">
      <Notice tone="bad" title={words.failed}>
        {text}
      </Notice>
    </div>
  );
}
