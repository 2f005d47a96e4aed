// A depot: its folders, the files of the chosen one, and what is known of a chosen file. Everything is stored at once.

import type { DepotChange } from "@contract/admin.ts";
import type { Json, JsonObject } from "@contract/json.ts";
import { FolderInput, Pencil, Trash2 } from "lucide-react";
import { type DragEvent, useMemo, useRef, useState } from "react";
import { hasFiles, readDropped } from "#files/dropped-files.ts";
import { choiceOf, type FilePlace, makeFolder, patchDepotFile, type StoredObject } from "#files/file-calls.ts";
import { LinkDialog } from "#files/protection/LinkDialog.tsx";
import { ProtectionDialog } from "#files/protection/ProtectionDialog.tsx";
import { isActive, type Upload } from "#files/queue.ts";
import { deedText } from "#files/use-deed.ts";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { classes } from "#ui/classes.ts";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { depotWords } from "#words/depot.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { carries } from "./carried.ts";
import css from "./Depot.module.css";
import { DepotBar } from "./DepotBar.tsx";
import { MoveDialog, NameDialog } from "./depot-dialogs.tsx";
import { FileDetails } from "./FileDetails.tsx";
import { FileGrid, type FileSort } from "./FileGrid.tsx";
import { FolderTree } from "./FolderTree.tsx";
import { keepKnown, nothingPicked, type Picked } from "./pick.ts";
import { filesIn, findFiles, findFolder, joined, nameOf, parentOf, readFolders, sortFiles } from "./tree.ts";
import { useDepotChanges } from "./use-depot-changes.ts";

/** Above so many files the number has to be typed before they are deleted. */
const manyFiles = 10;

export interface DepotProps {
  label: string;
  value: Json | undefined;
  collection: string;
  /** Undefined: the object is not stored yet. */
  object: string | undefined;
  path: string;
  /** In words; empty without any. */
  rules: string;
  /** For the file chooser. */
  accept: string | undefined;
  uploads: readonly Upload[];
  onUpload: (files: readonly (File | string)[], folder: string) => void;
  isReadOnly: boolean;
  onStored: (stored: StoredObject) => void;
}

type Open =
  | { dialog: "folder" | "protect-depot" }
  | { dialog: "rename" | "link" | "protect"; path: string }
  | { dialog: "move" | "delete"; paths: readonly string[] };

export function Depot(props: DepotProps) {
  const { label, value, collection, object, path, rules, accept, isReadOnly, onUpload, onStored } = props;
  const words = useWords(depotWords);
  const common = useWords(commonWords);
  const place: FilePlace | undefined = object === undefined ? undefined : { collection, object, path };
  const depot = `${collection}/${object}/${path}`;
  const changes = useDepotChanges(value, onStored);
  const { shown } = changes;
  const [wanted, setWanted] = useState("");
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<FileSort>({ column: "name", isDown: false });
  const [picked, setPicked] = useState<Picked>(nothingPicked);
  const [open, setOpen] = useState<Open>();
  const [isOver, setIsOver] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLElement>(null);
  const uploads = props.uploads.filter(isActive);

  const root = useMemo(() => readFolders(shown, label), [shown, label]);
  const folder = nearest(wanted, (one) => findFolder(root, one) !== undefined);
  const isFiltered = search.trim() !== "";
  const files = useMemo(() => {
    const found = isFiltered ? findFiles(shown, folder, search) : filesIn(shown, folder);
    return sortFiles(found, sort.column, sort.isDown);
  }, [shown, folder, search, isFiltered, sort]);
  const paths = useMemo(() => files.map((file) => file.path), [files]);
  const lastPaths = useRef(paths);
  const current = keepKnown(picked, lastPaths.current, paths);
  lastPaths.current = paths;
  const chosen = files.filter((file) => current.chosen.has(file.path));
  const [only] = chosen.length === 1 ? chosen : [];
  const chosenPaths = chosen.length > 0 ? chosen.map((file) => file.path) : folder === "" ? [] : [folder];

  const goTo = (next: string) => {
    setWanted(next);
    setPicked(nothingPicked);
  };
  const drop = async (transfer: DataTransfer, into: string) => {
    setIsOver(false);
    for (const { file, folder: below } of await readDropped(transfer)) onUpload([file], joinedFolders(into, below));
  };
  const run = (change: DepotChange) => (place ? changes.run(place, change) : Promise.resolve(false));
  const move = async (moved: readonly string[], destination: string) => {
    const isFolder = moved.length === 1 && moved[0] === folder;
    if (isFolder) setWanted(joined(destination, nameOf(folder)));
    const isDone = await run({ operation: "move", paths: [...moved], destination });
    if (isDone) toast.good(words.moved(moved.length, destination === "" ? label : destination));
    else if (isFolder) setWanted(folder);
    focusRow(frame.current);
  };
  const rename = async (from: string, name: string) => {
    const to = joined(parentOf(from), name);
    if (from === folder) setWanted(to);
    else setPicked({ chosen: new Set([to]), active: to, anchor: to });
    const isDone = await run({ operation: "rename", paths: [from], name });
    if (!isDone && from === folder) setWanted(from);
    focusRow(frame.current);
  };
  const remove = async (removed: readonly string[]) => {
    setOpen(undefined);
    if (removed[0] === folder) setWanted(parentOf(folder));
    const isDone = await run({ operation: "delete", paths: [...removed] });
    if (isDone) toast.good(words.deleted(removed.length));
    focusRow(frame.current);
  };
  const patch = (file: { folder: string; name: string }, fields: JsonObject) => {
    if (!place) return;
    patchDepotFile(place, file, fields).then(onStored, (error: unknown) => toast.bad(deedText(error, common)));
  };
  const checkName = (name: string, within: string) =>
    isTaken(shown, joined(within, name), root) ? words.nameTaken : undefined;

  const actions = !isReadOnly && place && chosenPaths.length > 0 && (
    <>
      {chosenPaths.length === 1 && (
        <Button icon={Pencil} onPress={() => setOpen({ dialog: "rename", path: chosenPaths[0] as string })}>
          {words.rename}
        </Button>
      )}
      <Button icon={FolderInput} onPress={() => setOpen({ dialog: "move", paths: chosenPaths })}>
        {words.move}
      </Button>
      <Button icon={Trash2} variant="quiet" onPress={() => setOpen({ dialog: "delete", paths: chosenPaths })}>
        {words.delete}
      </Button>
    </>
  );
  const chosenFolder = findFolder(root, folder) ?? root;
  const isEmpty = root.count === 0 && root.folders.length === 0;
  const dropEvents = isReadOnly
    ? {}
    : {
        onDragOver: (event: DragEvent) => {
          if (!hasFiles(event.dataTransfer) || carries(event.dataTransfer, depot)) return;
          event.preventDefault();
          setIsOver(true);
        },
        onDragLeave: (event: DragEvent) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        },
        onDrop: (event: DragEvent) => {
          if (!hasFiles(event.dataTransfer)) return;
          event.preventDefault();
          void drop(event.dataTransfer, folder);
        },
      };
  return (
    <div ref={frame} className={classes(css.depot, isOver && css.over)} {...dropEvents}>
      <DepotBar
        label={label}
        rules={rules}
        accept={accept}
        search={search}
        onSearch={setSearch}
        isReadOnly={isReadOnly}
        isStored={place !== undefined}
        hasFiles={!isEmpty}
        onUpload={(files) => onUpload(files, folder)}
        onNewFolder={() => setOpen({ dialog: "folder" })}
        onProtect={() => setOpen({ dialog: "protect-depot" })}
      />
      {isEmpty ? (
        <div className={css.empty}>
          <strong>{isReadOnly ? words.noFile : words.dropHere}</strong>
          {!isReadOnly && <span>{words.dropText}</span>}
        </div>
      ) : (
        <div className={css.panes}>
          {/* The dialog has a tree of the same folders. */}
          <div className={css.folders} aria-hidden={open?.dialog === "move" || undefined}>
            <FolderTree
              label={words.folders(label)}
              root={root}
              chosen={folder}
              onChoose={goTo}
              depot={depot}
              {...(!isReadOnly && {
                onDropPaths: (dropped, into) => void move(dropped, into),
                onDropFiles: (transfer, into) => void drop(transfer, into),
                onRename: (one) => setOpen({ dialog: "rename", path: one }),
                onDelete: (one) => setOpen({ dialog: "delete", paths: [one] }),
              })}
            />
          </div>
          <div className={css.files}>
            <FileGrid
              label={words.files(label)}
              files={files}
              picked={current}
              onPick={setPicked}
              sort={sort}
              onSort={setSort}
              depot={isReadOnly ? undefined : depot}
              areFound={isFiltered}
              onOpen={() => requestAnimationFrame(() => details.current?.focus())}
              onRename={() => only && !isReadOnly && setOpen({ dialog: "rename", path: only.path })}
              onDelete={() => chosen.length > 0 && !isReadOnly && setOpen({ dialog: "delete", paths: chosenPaths })}
              empty={isFiltered ? words.noMatch : isReadOnly ? words.noFile : words.emptyFolder}
            />
          </div>
          <section ref={details} className={css.details} tabIndex={-1} aria-label={words.detailsOf(label)}>
            {only && place ? (
              <FileDetails
                key={only.path}
                place={place}
                file={only}
                isReadOnly={isReadOnly}
                onPatch={(fields) => patch(only, fields)}
                onLink={() => setOpen({ dialog: "link", path: only.path })}
                onProtect={() => setOpen({ dialog: "protect", path: only.path })}
                actions={actions}
              />
            ) : (
              <div className={css.many}>
                <h2 className={css.title}>{chosen.length > 1 ? words.selected(chosen.length) : chosenFolder.name}</h2>
                <p className={css.hint}>
                  {chosen.length > 1
                    ? words.summary(chosen.length, sum(chosen.map(({ size }) => size)))
                    : words.summary(chosenFolder.count, chosenFolder.size)}
                </p>
                {actions ? <div className={css.actions}>{actions}</div> : <p className={css.hint}>{words.chooseOne}</p>}
              </div>
            )}
          </section>
        </div>
      )}
      <p className={css.status} role="status">
        {uploads.length > 0 &&
          (uploads.every(({ state }) => state === "waiting") ? words.waiting : words.uploading)(uploads.length)}
      </p>
      {place && open?.dialog === "folder" && (
        <NameDialog
          title={words.newFolderTitle(folder === "" ? label : folder)}
          label={words.create}
          check={(name) => checkName(name, folder)}
          onName={async (name) => {
            onStored(await makeFolder(place, joined(folder, name)));
            goTo(joined(folder, name));
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.dialog === "rename" && (
        <NameDialog
          title={words.renameTitle(nameOf(open.path))}
          label={words.rename}
          initial={nameOf(open.path)}
          check={(name) => checkName(name, parentOf(open.path))}
          onName={async (name) => void rename(open.path, name)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.dialog === "move" && (
        <MoveDialog
          root={root}
          paths={open.paths}
          onMove={(destination) => void move(open.paths, destination)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.dialog === "delete" && (
        <ConfirmDialog
          title={words.deleteTitle(open.paths.length, nameOf(open.paths[0] ?? ""))}
          text={
            open.paths.length > 1
              ? words.deleteManyText
              : open.paths[0] === undefined || !findFolder(root, open.paths[0])
                ? words.deleteText
                : words.deleteFolderText(findFolder(root, open.paths[0])?.count ?? 0)
          }
          typed={
            open.paths.length > manyFiles
              ? {
                  label: words.typeNumber(open.paths.length),
                  value: String(open.paths.length),
                  also: formatNumber(open.paths.length),
                }
              : undefined
          }
          confirmLabel={words.delete}
          tone="danger"
          onConfirm={() => void remove(open.paths)}
          onCancel={() => setOpen(undefined)}
        />
      )}
      {place && open?.dialog === "link" && (
        <LinkDialog name={nameOf(open.path)} choice={choiceOf(place, open.path)} onClose={() => setOpen(undefined)} />
      )}
      {place && (open?.dialog === "protect" || open?.dialog === "protect-depot") && (
        <ProtectionDialog
          name={open.dialog === "protect" ? nameOf(open.path) : label}
          choice={choiceOf(place, open.dialog === "protect" ? open.path : "")}
          hasFlag={open.dialog === "protect-depot"}
          onStored={onStored}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

/** The folder, or the first one around it that is there. */
function nearest(path: string, isThere: (path: string) => boolean): string {
  let found = path;
  while (found !== "" && !isThere(found)) found = parentOf(found);
  return found;
}

function joinedFolders(folder: string, below: string): string {
  return below === "" ? folder : joined(folder, below);
}

function isTaken(value: Json | undefined, path: string, root: ReturnType<typeof readFolders>): boolean {
  return findFolder(root, path) !== undefined || filesIn(value, parentOf(path)).some((file) => file.path === path);
}

/** What had the focus is gone: the row of the keyboard has it, else the tree. */
function focusRow(frame: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const row = frame?.querySelector<HTMLElement>("[role=grid] tbody [tabindex='0']");
    (row ?? frame?.querySelector<HTMLElement>("[role=treeitem][tabindex='0']"))?.focus();
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
