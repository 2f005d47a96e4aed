// What is known of the chosen file of a depot, and what can be done with it. Its texts are stored when they are left.

import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { Download, Link as LinkIcon, LockKeyhole } from "lucide-react";
import { type ReactNode, useState } from "react";
import { choiceOf, downloadsQuery, type FilePlace, fileAddress } from "#files/file-calls.ts";
import { Button, ButtonContent, buttonClass } from "#ui/Button.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { depotWords } from "#words/depot.ts";
import { formatBytes, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./FileDetails.module.css";
import { FileIcon } from "./FileIcon.tsx";
import type { DepotFile } from "./tree.ts";

interface Props {
  place: FilePlace;
  file: DepotFile;
  isReadOnly: boolean;
  onPatch: (fields: JsonObject) => void;
  onLink: () => void;
  onProtect: () => void;
  /** Move, rename, delete. */
  actions: ReactNode;
}

export function FileDetails({ place, file, isReadOnly, onPatch, onLink, onProtect, actions }: Props) {
  const words = useWords(depotWords);
  const { name, path, size, mime, uploadDate, download, comments, tags } = file;
  const choice = choiceOf(place, path);
  const downloads = useQuery(downloadsQuery(place));
  const count = downloads.data?.files.find((one) => one.path === choice.path)?.count ?? 0;
  return (
    <div className={css.details}>
      <h2 className={css.title}>
        <FileIcon mime={mime} />
        {name}
      </h2>
      <Preview file={file} address={fileAddress("stream", choice)} />
      <p className={css.facts}>
        {formatBytes(size)} · {mime} · {uploadDate && formatDateTime(uploadDate)} · {words.downloads(count)}
      </p>
      {!isReadOnly && (
        <div className={css.lines}>
          <Line label={words.downloadName} value={download} onStore={(text) => onPatch({ download: text })} />
          <Line
            label={words.tags}
            placeholder={words.tagsHelp}
            value={tags.join(", ")}
            onStore={(text) =>
              onPatch({ tags: [...new Set(text.split(",").map((tag) => tag.trim()))].filter(Boolean) })
            }
          />
          <Line label={words.comments} value={comments} isLong onStore={(text) => onPatch({ comments: text })} />
        </div>
      )}
      <div className={css.actions}>
        <a className={buttonClass("plain")} href={fileAddress("download", choice)} download={download || name}>
          <ButtonContent icon={Download}>{words.download}</ButtonContent>
        </a>
        {!isReadOnly && (
          <>
            <Button icon={LinkIcon} onPress={onLink}>
              {words.link}
            </Button>
            <Button icon={LockKeyhole} onPress={onProtect}>
              {words.protection}
            </Button>
          </>
        )}
        {actions}
      </div>
    </div>
  );
}

function Preview({ file: { mime, name }, address }: { file: DepotFile; address: string }) {
  const [isBroken, setIsBroken] = useState(false);
  if (/^image\/(?!svg)/.test(mime) && !isBroken)
    return <img className={css.picture} src={address} alt={name} loading="lazy" onError={() => setIsBroken(true)} />;
  // biome-ignore lint/a11y/useMediaCaption: files have no captions
  if (mime.startsWith("audio/")) return <audio className={css.media} src={address} controls preload="none" />;
  // biome-ignore lint/a11y/useMediaCaption: files have no captions
  if (mime.startsWith("video/")) return <video className={css.media} src={address} controls preload="none" />;
  return null;
}

interface LineProps {
  label: string;
  value: string;
  placeholder?: string;
  isLong?: boolean;
  onStore: (text: string) => void;
}

/** Enter or leaving it stores what was typed. */
function Line({ label, value, placeholder, isLong, onStore }: LineProps) {
  const [typed, setTyped] = useState<string>();
  const store = () => {
    if (typed !== undefined && typed.trim() !== value) onStore(typed.trim());
    setTyped(undefined);
  };
  const shared = { label, value: typed ?? value, onChange: setTyped, onBlur: store, placeholder };
  if (isLong) return <TextArea {...shared} rows={2} />;
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        store();
      }}
    />
  );
}
