// What becomes of the files of a field, under it. The panel "Uploads" has the buttons.

import { CircleAlert, Clock, RotateCcw, Upload as UploadIcon } from "lucide-react";
import { useEffect, useState } from "react";
import type { Upload } from "#files/queue.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import css from "./files.module.css";

interface Props {
  uploads: readonly Upload[];
  interrupted: readonly { name: string; share: number }[];
}

export function FieldUploads({ uploads, interrupted }: Props) {
  const words = useWords(fileWords);
  const shown = uploads.filter(({ state }) => state !== "done");
  if (shown.length + interrupted.length === 0) return null;
  return (
    <ul className={css.uploads}>
      {interrupted.map(({ name, share }) => (
        <li key={name} className={css.upload}>
          <Icon of={RotateCcw} />
          {words.interrupted(name, share)}
        </li>
      ))}
      {shown.map((upload) => {
        const { id, name, state, sent, size, problem } = upload;
        const isBad = state === "failed" || state === "refused";
        const share = size > 0 ? sent / size : 0;
        return (
          <li key={id} className={classes(css.upload, isBad && css.bad)}>
            <Icon of={isBad ? CircleAlert : state === "waiting" ? Clock : UploadIcon} />
            {isBad
              ? words.problemOf(name, problem === "" ? words.unreachable : problem)
              : state === "sending" && size > 0
                ? words.sendingNow(name, share)
                : words.problemOf(name, stateText(upload, words))}
          </li>
        );
      })}
    </ul>
  );
}

function stateText({ state, size }: Upload, words: (typeof fileWords)["en"]): string {
  if (state === "sending") return size === 0 ? words.fetching : words.storing;
  if (state === "waiting" || state === "queued" || state === "paused" || state === "offline") return words[state];
  return words.done;
}

/** The picture as it lies on the device, until it is stored. */
export function LocalPreview({ upload, className }: { upload: Upload; className?: string }) {
  const { source } = upload.request;
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (typeof source === "string" || !source.type.startsWith("image/")) return;
    const made = URL.createObjectURL(source);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [source]);
  const [isShown, setIsShown] = useState(true);
  if (!address || !isShown) return <Icon of={UploadIcon} size={20} />;
  return <img src={address} alt="" className={className} onError={() => setIsShown(false)} />;
}
