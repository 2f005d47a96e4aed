// The folders of a depot as a tree: one tab stop, arrows, and a place to drop files.

import { ChevronDown, ChevronRight, Folder, FolderOpen } from "lucide-react";
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { depotWords } from "#words/depot.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { carried, carries, carry } from "./carried.ts";
import css from "./FolderTree.module.css";
import { rowAfter } from "./pick.ts";
import { type DepotFolder, isWithin, parentOf, visibleFolders } from "./tree.ts";

interface Props {
  label: string;
  root: DepotFolder;
  chosen: string;
  onChoose: (path: string) => void;
  /** Name of the depot, where its files and folders can be dragged. */
  depot?: string;
  /** Files and folders were dropped on a folder. */
  onDropPaths?: (paths: string[], folder: string) => void;
  onDropFiles?: (transfer: DataTransfer, folder: string) => void;
  onRename?: (path: string) => void;
  onDelete?: (path: string) => void;
  /** Folders that cannot be chosen, with all in them. */
  closed?: readonly string[];
  autoFocus?: boolean;
}

export function FolderTree(props: Props) {
  const {
    label,
    root,
    chosen,
    onChoose,
    depot = "",
    onDropPaths,
    onDropFiles,
    onRename,
    onDelete,
    closed = [],
    autoFocus,
  } = props;
  const words = useWords(depotWords);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(["", ...ancestors(chosen)]));
  const [over, setOver] = useState<string>();
  const tree = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What is chosen is seen, however it was chosen.
    setOpen((before) =>
      ancestors(chosen).every((path) => before.has(path)) ? before : new Set([...before, ...ancestors(chosen)]),
    );
  }, [chosen]);
  const shown = visibleFolders(root, open);
  const isClosed = (path: string) => closed.some((folder) => isWithin(path, folder));

  const choose = (path: string) => {
    if (!isClosed(path)) onChoose(path);
    requestAnimationFrame(() => itemOf(tree.current, path)?.focus());
  };
  const setIsOpen = (path: string, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(path);
    else next.delete(path);
    setOpen(next);
  };
  const press = (event: KeyboardEvent, folder: DepotFolder) => {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = shown.indexOf(folder);
    const next = rowAfter(key, at, shown.length);
    const isOpen = open.has(folder.path);
    if (next !== undefined) choose((shown[next] as DepotFolder).path);
    else if (key === "ArrowRight" && folder.folders.length > 0) {
      if (isOpen) choose((folder.folders[0] as DepotFolder).path);
      else setIsOpen(folder.path, true);
    } else if (key === "ArrowLeft") {
      if (isOpen && folder.folders.length > 0) setIsOpen(folder.path, false);
      else if (folder.path !== "") choose(parentOf(folder.path));
    } else if (key === "Enter" || key === " ") choose(folder.path);
    else if (key === "F2" && folder.path !== "") onRename?.(folder.path);
    else if (key === "Delete" && folder.path !== "") onDelete?.(folder.path);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const takes = (transfer: DataTransfer) =>
    (onDropPaths !== undefined && carries(transfer, depot)) ||
    (onDropFiles !== undefined && transfer.types.includes("Files"));
  const drop = (event: DragEvent, path: string) => {
    setOver(undefined);
    if (!takes(event.dataTransfer)) return;
    event.preventDefault();
    event.stopPropagation();
    if (carries(event.dataTransfer, depot)) onDropPaths?.(carried(event.dataTransfer), path);
    else onDropFiles?.(event.dataTransfer, path);
  };
  return (
    <div ref={tree} role="tree" aria-label={label} className={css.tree}>
      {shown.map((folder) => {
        const { path, name, level, count, folders } = folder;
        const isOpen = open.has(path);
        return (
          <div
            key={path}
            role="treeitem"
            data-path={path}
            aria-description={words.count(count)}
            aria-level={level}
            aria-selected={path === chosen}
            aria-expanded={folders.length > 0 ? isOpen : undefined}
            aria-disabled={isClosed(path) || undefined}
            tabIndex={path === chosen ? 0 : -1}
            data-autofocus={(autoFocus && path === chosen) || undefined}
            className={classes(css.item, path === chosen && css.chosen, path === over && css.over)}
            style={{ paddingInlineStart: `calc(${level - 1} * var(--space-5) + var(--space-2))` }}
            onClick={() => choose(path)}
            onKeyDown={(event) => press(event, folder)}
            draggable={onDropPaths !== undefined && path !== ""}
            onDragStart={(event) => carry(event.dataTransfer, depot, [path])}
            onDragOver={(event) => {
              if (!takes(event.dataTransfer)) return;
              event.preventDefault();
              event.stopPropagation();
              setOver(path);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => drop(event, path)}
          >
            {folders.length > 0 ? (
              <button
                type="button"
                tabIndex={-1}
                aria-hidden="true"
                className={css.arrow}
                onClick={(event) => {
                  event.stopPropagation();
                  setIsOpen(path, !isOpen);
                }}
              >
                <Icon of={isOpen ? ChevronDown : ChevronRight} />
              </button>
            ) : (
              <span className={css.arrow} />
            )}
            <Icon of={path === chosen ? FolderOpen : Folder} className={css.folder} />
            <span className={css.name}>{name}</span>
            <span className={css.count} aria-hidden="true">
              {formatNumber(count)}
            </span>
          </div>
        );
      })}
    </div>
  );
}

/** Of a folder, itself not among them. */
function ancestors(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at).join("/"));
}

function itemOf(tree: HTMLElement | null, path: string): HTMLElement | undefined {
  const items = tree?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [];
  return [...items].find((item) => item.dataset.path === path);
}
