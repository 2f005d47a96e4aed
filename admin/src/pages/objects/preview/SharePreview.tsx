// An address that shows the object, draft or not, to those that get it, until it ends.

import type { MadePreview } from "@contract/previews.ts";
import { useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { livePreviewWords } from "#words/live-preview.ts";
import css from "./preview.module.css";

interface Props {
  collection: string;
  id: string;
  onClose: () => void;
}

export function SharePreview({ collection, id, onClose }: Props) {
  const words = useWords(livePreviewWords);
  const [expires, setExpires] = useState("P1D");
  const [shared, setShared] = useState<MadePreview>();
  const [error, setError] = useState("");
  const [isPending, setIsPending] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setIsPending(true);
    setError("");
    await work().catch((problem: Error) => setError(problem.message));
    setIsPending(false);
  };
  const share = () =>
    run(async () => {
      const body = { collection, id, expires, shared: true };
      setShared(await askData<MadePreview>(routes.createPreview, { body }));
    });
  const end = () =>
    run(async () => {
      if (shared) await ask(routes.endPreview, { path: { id: shared.id } });
      setShared(undefined);
      toast.good(words.sharingEnded);
    });
  return (
    <Dialog
      title={words.share}
      onClose={onClose}
      footer={
        shared ? (
          <>
            <Button isPending={isPending} onPress={() => void end()}>
              {words.endSharing}
            </Button>
            <Button variant="primary" onPress={onClose}>
              {words.done}
            </Button>
          </>
        ) : (
          <>
            <Button onPress={onClose}>{words.cancel}</Button>
            <Button variant="primary" isPending={isPending} onPress={() => void share()}>
              {words.makeAddress}
            </Button>
          </>
        )
      }
    >
      <p>{words.shareText}</p>
      {error !== "" && <Notice tone="bad">{error}</Notice>}
      {shared ? (
        <>
          <div className={css.address}>
            <TextInput label={words.address} value={shared.url} onChange={() => undefined} isReadOnly />
            <CopyButton text={shared.url} label={words.copy} copiedLabel={words.copied} />
          </div>
          <p>{words.endsAt(formatDateTime(shared.expires))}</p>
        </>
      ) : (
        <Select
          label={words.validFor}
          value={expires}
          onChange={(next) => setExpires(next || "P1D")}
          options={[
            { value: "PT1H", label: words.oneHour },
            { value: "P1D", label: words.oneDay },
            { value: "P7D", label: words.oneWeek },
          ]}
        />
      )}
    </Dialog>
  );
}
