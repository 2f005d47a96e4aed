// One file: uploaded at once, described and removed with Save. Protection and links belong to the stored file.

import { isJsonObject, type JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { Download, Info, Link as LinkIcon, LockKeyhole, MoreHorizontal, Trash2 } from "lucide-react";
import { type DragEvent, lazy, Suspense, useRef, useState } from "react";
import type { FieldInputProps, FieldReadProps } from "#fields/field-kind.ts";
import { FileIcon } from "#files/depot/FileIcon.tsx";
import { hasFiles, readDropped } from "#files/dropped-files.ts";
import { choiceOf, downloadsQuery, type FilePlace, fileAddress, type StoredObject } from "#files/file-calls.ts";
import { isActive, type Merge } from "#files/queue.ts";
import { acceptOf } from "#files/taking/accept.ts";
import { UploadButtons } from "#files/taking/UploadButtons.tsx";
import { ButtonContent, buttonClass } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { Menu } from "#ui/Menu.tsx";
import { depotWords } from "#words/depot.ts";
import { formatBytes } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./file.module.css";
import { useTaking } from "./use-taking.ts";

const DetailsDialog = lazy(() =>
  import("./FileDetailsDialog.tsx").then((module) => ({ default: module.FileDetailsDialog })),
);
const LinkDialog = lazy(() =>
  import("#files/protection/LinkDialog.tsx").then((module) => ({ default: module.LinkDialog })),
);
const ProtectionDialog = lazy(() =>
  import("#files/protection/ProtectionDialog.tsx").then((module) => ({ default: module.ProtectionDialog })),
);

type Open = "details" | "protection" | "link";

export function FileInput(props: FieldInputProps) {
  const { id, path, property, value, onChange, onBlur, description, error, extra, isDisabled, context } = props;
  const words = useWords(depotWords);
  const { label, isRequired, settings } = property;
  const { collection, object, isStored, takeOver } = context;
  const { take, uploads: all, rules } = useTaking(props, { takes: "files", merge: mergeFile });
  const uploads = all.filter(isActive);
  const [open, setOpen] = useState<Open>();
  const [isOver, setIsOver] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const file = fileOf(value);
  const place = object !== undefined && isStored(path) ? { collection, object, path } : undefined;
  const [top = ""] = path.split(".");

  const protectionStored = (stored: StoredObject) => {
    takeOver(top, stored);
    const flag = valueAt(stored.data, path)?.protected;
    // Descriptions that are not saved yet lie over what is stored.
    if (file && flag !== undefined && file.protected !== flag) onChange({ ...file, protected: flag });
  };
  const remove = () => {
    onChange(null);
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("button")?.focus());
  };
  const dropEvents = isDisabled
    ? {}
    : {
        onDragOver: (event: DragEvent) => {
          if (!hasFiles(event.dataTransfer)) return;
          event.preventDefault();
          setIsOver(true);
        },
        onDragLeave: () => setIsOver(false),
        onDrop: (event: DragEvent) => {
          if (!hasFiles(event.dataTransfer)) return;
          event.preventDefault();
          setIsOver(false);
          void readDropped(event.dataTransfer).then(([first]) => first && take([first.file]));
        },
      };
  const close = () => setOpen(undefined);
  return (
    <FieldFrame
      label={label}
      htmlFor={id}
      isGroup
      help={description}
      error={error}
      isRequired={isRequired}
      extra={extra}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: the label stands outside, as with every field */}
      <div
        ref={frame}
        id={id}
        role="group"
        aria-labelledby={labelId(id)}
        aria-describedby={describedBy(id, { help: description, error })}
        className={classes(css.zone, !file && css.empty, isOver && css.over)}
        onBlur={onBlur}
        {...dropEvents}
      >
        {file ? (
          <FileLine file={file} place={place} />
        ) : (
          <div className={css.words}>
            <strong>{words.dropOne}</strong>
            <span className={css.facts}>{rules.join(", ")}</span>
          </div>
        )}
        <div className={css.actions}>
          <UploadButtons
            label={label}
            word={file && words.replace}
            accept={acceptOf(settings)}
            isDisabled={isDisabled}
            onFiles={take}
            onUrl={(address) => take([address])}
          />
          {file && (
            <Menu
              button={{ label: words.actionsFor(String(file.name)), icon: MoreHorizontal }}
              isDisabled={isDisabled}
              placement="bottom end"
              items={[
                { id: "details", label: words.details, icon: Info, onAction: () => setOpen("details") },
                ...(place
                  ? [
                      {
                        id: "protection",
                        label: words.protection,
                        icon: LockKeyhole,
                        onAction: () => setOpen("protection"),
                      },
                      { id: "link", label: words.link, icon: LinkIcon, onAction: () => setOpen("link") },
                    ]
                  : []),
                { id: "remove", label: words.remove, icon: Trash2, tone: "danger", onAction: remove },
              ]}
            />
          )}
        </div>
        <p role="status" className={css.status}>
          {uploads.length > 0 &&
            (uploads.every(({ state }) => state === "waiting") ? words.waiting : words.uploading)(uploads.length)}
        </p>
      </div>
      <Suspense>
        {open === "details" && file && <DetailsDialog file={file} onApply={onChange} onClose={close} />}
        {open === "link" && file && place && (
          <LinkDialog name={String(file.name)} choice={choiceOf(place)} onClose={close} />
        )}
        {open === "protection" && file && place && (
          <ProtectionDialog
            name={String(file.name)}
            choice={choiceOf(place)}
            hasFlag
            onStored={protectionStored}
            onClose={close}
          />
        )}
      </Suspense>
    </FieldFrame>
  );
}

export function FileRead({ path, value, context }: FieldReadProps) {
  const { collection, object } = context;
  const file = fileOf(value);
  return file && <FileLine file={file} place={object === undefined ? undefined : { collection, object, path }} />;
}

function FileLine({ file, place }: { file: JsonObject; place: FilePlace | undefined }) {
  const words = useWords(depotWords);
  const { name, size, mime, download } = file;
  return (
    <div className={css.file}>
      <FileIcon mime={String(mime)} size={20} />
      <div className={css.words}>
        <span className={css.name}>{String(name)}</span>
        <span className={css.facts}>
          {formatBytes(Number(size))} · {String(mime)}
          {place && <Count place={place} />}
        </span>
      </div>
      {place && (
        <a
          className={buttonClass("plain", css.download)}
          href={fileAddress("download", choiceOf(place))}
          aria-label={words.downloadOf(String(name))}
          download={typeof download === "string" && download !== "" ? download : String(name)}
        >
          <ButtonContent icon={Download}>{words.download}</ButtonContent>
        </a>
      )}
    </div>
  );
}

function Count({ place }: { place: FilePlace }) {
  const words = useWords(depotWords);
  const { data } = useQuery(downloadsQuery(place));
  const { path } = choiceOf(place);
  const count = data?.files.filter((one) => one.path === path || one.path.startsWith(`${path}/`));
  return count && <> · {words.downloads(count.reduce((total, one) => total + one.count, 0))}</>;
}

function fileOf(value: unknown): (JsonObject & { name: string }) | undefined {
  const file = value as JsonObject | undefined;
  return isJsonObject(file) && typeof file.name === "string" ? (file as JsonObject & { name: string }) : undefined;
}

function valueAt(data: JsonObject, path: string): JsonObject | undefined {
  let found: unknown = data;
  for (const name of path.split(".")) {
    found = Array.isArray(found)
      ? found.find((item) => isJsonObject(item) && item.id === name)
      : isJsonObject(found as JsonObject)
        ? (found as JsonObject)[name]
        : undefined;
  }
  return isJsonObject(found as JsonObject) ? (found as JsonObject) : undefined;
}

/** A new file, with descriptions that were typed and not saved yet. A file that was removed in the form is there again. */
const mergeFile: Merge = ({ mine, stored }) => {
  if (!isJsonObject(mine as JsonObject) || !isJsonObject(stored as JsonObject)) return stored;
  const { download, comments, tags } = mine as JsonObject;
  return {
    ...(stored as JsonObject),
    ...(download !== undefined && { download }),
    ...(comments !== undefined && { comments }),
    ...(tags !== undefined && { tags }),
  };
};
