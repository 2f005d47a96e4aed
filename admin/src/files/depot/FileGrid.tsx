// The files of a folder as a grid: one tab stop, rows by arrows, several picked at once. Only the rows in sight are drawn.

import { MoveDown, MoveUp } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { depotWords } from "#words/depot.ts";
import { formatBytes, formatDateTime, formatDay } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { carry } from "./carried.ts";
import css from "./FileGrid.module.css";
import { FileIcon } from "./FileIcon.tsx";
import { nothingPicked, type Picked, pickAll, pickOne, pickRange, rowAfter, toggle } from "./pick.ts";
import type { DepotFile, FileColumn } from "./tree.ts";
import { useRowWindow } from "./useRowWindow.ts";

export interface FileSort {
  column: FileColumn;
  isDown: boolean;
}

interface Props {
  label: string;
  files: readonly DepotFile[];
  picked: Picked;
  onPick: (picked: Picked) => void;
  sort: FileSort;
  onSort: (sort: FileSort) => void;
  /** Name of the depot, where its files can be dragged; undefined: they are only read. */
  depot: string | undefined;
  /** Files come from several folders: each says where it is. */
  areFound: boolean;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
  /** In place of rows. */
  empty: ReactNode;
}

/** Rows are drawn as they come into sight, so they are boxes that say what they are. */
const grid = { role: "grid", "aria-multiselectable": true } as const;
const group = { role: "rowgroup" } as const;
const row = { role: "row" } as const;
const header = { role: "columnheader" } as const;
const cell = { role: "gridcell" } as const;

const columns: readonly FileColumn[] = ["name", "size", "type", "changed"];

export function FileGrid(props: Props) {
  const { label, files, picked, onPick, sort, onSort, depot, areFound, onOpen, onRename, onDelete, empty } = props;
  const words = useWords(depotWords);
  const height = useMediaQuery("(pointer: coarse)") ? 48 : 36;
  const head = useRef<HTMLTableSectionElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last, show } = useRowWindow(scroller, files.length, height);
  const paths = files.map(({ path }) => path);
  const activeAt = Math.max(0, paths.indexOf(picked.active ?? ""));
  /** The next row is to be focused when it is drawn. */
  const isMoving = useRef(false);
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    show(activeAt);
    rowOf(scroller.current)?.focus({ preventScroll: true });
  });

  const goTo = (at: number, isRange: boolean) => {
    const path = paths[at];
    if (path === undefined) return;
    isMoving.current = true;
    onPick(isRange ? pickRange(picked, paths, path) : pickOne(path));
  };
  const press = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const active = paths[activeAt];
    const next = isCommand || event.altKey ? undefined : rowAfter(key, activeAt, files.length);
    if (key === "ArrowUp" && activeAt === 0 && !shiftKey) controlsOf(head.current)[0]?.focus();
    else if (next !== undefined) goTo(next, shiftKey);
    else if (isCommand && key === "a") onPick(pickAll(picked, paths));
    else if (isCommand || event.altKey) return;
    else if ((key === " " || key === "x") && active !== undefined) {
      isMoving.current = true;
      onPick(toggle(picked, active));
    } else if (key === "Escape" && picked.chosen.size > 0) onPick({ ...nothingPicked, active: picked.active });
    else if (key === "Enter" && active !== undefined) {
      if (picked.chosen.size !== 1) onPick(pickOne(active));
      onOpen();
    } else if (key === "F2") onRename();
    else if (key === "Delete") onDelete();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Up from the first row, then sideways; down leads back. */
  const pressInHead = (event: KeyboardEvent) => {
    const controls = controlsOf(head.current);
    const at = controls.indexOf(event.target as HTMLElement);
    if (event.key === "ArrowRight") controls[Math.min(controls.length - 1, at + 1)]?.focus();
    else if (event.key === "ArrowLeft") controls[Math.max(0, at - 1)]?.focus();
    else if (event.key === "ArrowDown") rowOf(scroller.current)?.focus();
    else return;
    event.preventDefault();
  };
  const click = (event: MouseEvent, path: string) => {
    isMoving.current = true;
    if (event.shiftKey) onPick(pickRange(picked, paths, path));
    else if (event.ctrlKey || event.metaKey) onPick(toggle(picked, path));
    else onPick(pickOne(path));
  };
  const rows = shownRows({ first, last, activeAt, count: files.length });
  const isAll = files.length > 0 && picked.chosen.size === files.length;
  return (
    <div ref={scroller} className={css.scroller}>
      <table
        {...grid}
        aria-label={label}
        aria-rowcount={files.length + 1}
        aria-colcount={columns.length + 1}
        className={css.grid}
      >
        <thead {...group} ref={head} className={css.top}>
          <tr {...row} aria-rowindex={1} className={css.head} onKeyDown={pressInHead}>
            <th {...header} className={css.tick}>
              <Checkbox
                label={words.selectAll}
                isLabelHidden
                isSelected={isAll}
                isIndeterminate={!isAll && picked.chosen.size > 0}
                isDisabled={files.length === 0}
                tabIndex={-1}
                onChange={(isOn) => onPick(isOn ? pickAll(picked, paths) : nothingPicked)}
              />
            </th>
            {columns.map((column) => (
              <th
                key={column}
                {...header}
                aria-sort={sort.column === column ? (sort.isDown ? "descending" : "ascending") : undefined}
                className={css[column]}
              >
                <button
                  type="button"
                  tabIndex={-1}
                  className={css.sort}
                  onClick={() => onSort({ column, isDown: sort.column === column && !sort.isDown })}
                >
                  {words.columns[column]}
                  {sort.column === column && <Icon of={sort.isDown ? MoveDown : MoveUp} />}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...group} className={css.body} style={{ blockSize: files.length * height || undefined }}>
          {files.length === 0 && (
            <tr {...row} className={css.empty}>
              <td {...cell}>{empty}</td>
            </tr>
          )}
          {rows.map((at) => {
            const file = files[at] as DepotFile;
            return (
              <Row
                key={file.path}
                file={file}
                at={at}
                style={{ blockSize: height, insetBlockStart: at * height }}
                isChosen={picked.chosen.has(file.path)}
                isActive={at === activeAt}
                areFound={areFound}
                onClick={(event) => click(event, file.path)}
                onKeyDown={press}
                onDoubleClick={onOpen}
                onTick={() => onPick(toggle(picked, file.path))}
                onDragStart={
                  depot === undefined
                    ? undefined
                    : (transfer) => {
                        const isMine = picked.chosen.has(file.path);
                        if (!isMine) onPick(pickOne(file.path));
                        carry(transfer, depot, isMine ? [...picked.chosen] : [file.path]);
                      }
                }
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The one that the keyboard is at. */
function rowOf(scroller: HTMLElement | null): HTMLElement | null | undefined {
  return scroller?.querySelector<HTMLElement>("tbody [role=row][tabindex='0']");
}

function controlsOf(head: HTMLElement | null): HTMLElement[] {
  return [...(head?.querySelectorAll<HTMLElement>("input:enabled, button") ?? [])];
}

/** The row of the keyboard is always drawn: otherwise scrolling would take the focus away. */
function shownRows({ first, last, activeAt, count }: { first: number; last: number; activeAt: number; count: number }) {
  const rows = Array.from({ length: last - first }, (_, at) => first + at);
  if (count > 0 && activeAt < first) return [activeAt, ...rows];
  return count > activeAt && activeAt >= last ? [...rows, activeAt] : rows;
}

interface RowProps {
  file: DepotFile;
  at: number;
  style: CSSProperties;
  isChosen: boolean;
  isActive: boolean;
  areFound: boolean;
  onClick: (event: MouseEvent) => void;
  onDoubleClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onTick: () => void;
  onDragStart: ((transfer: DataTransfer) => void) | undefined;
}

function Row({ file, at, style, isChosen, isActive, areFound, onTick, onDragStart, ...events }: RowProps) {
  const words = useWords(depotWords);
  const { name, folder, size, ext, mime, uploadDate } = file;
  return (
    <tr
      {...row}
      aria-label={name}
      aria-rowindex={at + 2}
      aria-selected={isChosen}
      tabIndex={isActive ? 0 : -1}
      className={classes(css.row, isChosen && css.chosen)}
      style={style}
      draggable={onDragStart !== undefined}
      onDragStart={(event) => onDragStart?.(event.dataTransfer)}
      {...events}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Space is a key of the row */}
      <td {...cell} className={css.tick} onClick={(event) => event.stopPropagation()}>
        <Checkbox label={words.select(name)} isLabelHidden isSelected={isChosen} onChange={onTick} tabIndex={-1} />
      </td>
      <td {...cell} className={css.name}>
        <FileIcon mime={mime} />
        <span className={css.words}>
          <span className={css.text}>{name}</span>
          {areFound && folder !== "" && <span className={css.place}>{words.inFolder(folder)}</span>}
        </span>
      </td>
      <td {...cell} className={css.size}>
        {formatBytes(size)}
      </td>
      <td {...cell} className={css.type}>
        {ext.toUpperCase()}
      </td>
      <td {...cell} className={css.changed} title={uploadDate && formatDateTime(uploadDate)}>
        {uploadDate && formatDay(uploadDate)}
      </td>
    </tr>
  );
}
