// A table of any length: a real table with the role of a grid, rows drawn as they come into view, one stop of the Tab key.
// The focus is on a row (arrows move, Enter opens, Space selects), on a cell, or on a column's head.

import { type FocusEvent, type KeyboardEvent, useCallback, useId, useLayoutEffect, useRef, useState } from "react";
import { classes } from "#ui/classes.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./DataGrid.module.css";
import { GridHead } from "./GridHead.tsx";
import { GridRow } from "./GridRow.tsx";
import type { GridProps } from "./grid-types.ts";
import { headMenu } from "./head-menu.ts";
import { moveTo, type Spot } from "./keys.ts";
import { roles } from "./roles.ts";
import { type OpenMenu, SharedMenu } from "./SharedMenu.tsx";
import { extend, extendBy, isSelected, nothingSelected, selectLoaded, toggle } from "./selection.ts";
import { useBeginning, usePlaces, useReappearance, useReturn } from "./usePlaces.ts";
import { useRowHeight } from "./useRowHeight.ts";
import { useWindow } from "./useWindow.ts";

const headHeight = 40;
/** Of a grid without rows: its head and its edges. */
export const bareHeight = headHeight + 2;
const boxWidth = 44;
const actionsWidth = 52;
/** Rows that hold the place while nothing is known. */
const placeholders = 12;

export function DataGrid<R>(props: GridProps<R>) {
  const { label, columns, titleColumn, total, rowAt, idOf, nameOf, markOf, sort = [], selecting, actionsOf } = props;
  const words = useWords(gridWords);
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const size = useRowHeight();
  const count = total ?? placeholders;
  const [spot, setSpot] = useState<Spot>({ row: props.place?.row ?? 0, column: -1 });
  const [menu, setMenu] = useState<OpenMenu>();
  const [said, setSaid] = useState("");
  /** The focus follows the spot once, after it was drawn. */
  const isFocusDue = useRef(false);

  const hasBox = selecting !== undefined;
  const hasActions = actionsOf !== undefined;
  const columnCount = columns.length + (hasBox ? 1 : 0) + (hasActions ? 1 : 0);
  const view = useWindow({
    scroller,
    count,
    size,
    headHeight,
    kept: spot.row >= 0 && spot.row < count ? spot.row : undefined,
    initialOffset: props.place?.offset ?? 0,
    onRange: props.onRange,
  });

  usePlaces(props, { row: spot.row, view, isReady: total !== undefined });
  const focusSpot = useCallback(() => {
    isFocusDue.current = true;
  }, []);
  useBeginning(props.question, () => {
    view.jump(0);
    // The heads stay: a key pressed there has asked the question.
    setSpot((now) => (now.row === -1 ? now : { row: 0, column: -1 }));
  });
  useReturn(props.place, total !== undefined, focusSpot);
  useReappearance(table, focusSpot);
  // A head that was moved is another element at its new place.
  const isHeadMoved = useRef(false);
  const order = columns.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order is what it waits for
  useLayoutEffect(() => {
    if (isHeadMoved.current) isFocusDue.current = true;
    isHeadMoved.current = false;
  }, [order]);
  useLayoutEffect(() => {
    if (!isFocusDue.current || !table.current) return;
    const element = elementAt(table.current, spot);
    if (!element) return;
    isFocusDue.current = false;
    element.focus({ preventScroll: true });
    if (spot.column >= 0) element.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  const latest = useRef(props);
  latest.current = props;
  const idAt = (row: number) => {
    const found = rowAt(row);
    return found === undefined ? undefined : idOf(found);
  };
  const go = (next: Spot) => {
    focusSpot();
    setSpot(next);
    if (next.row >= 0) view.scrollTo(next.row);
  };

  const toggleRow = useCallback((index: number, isRange: boolean) => {
    const { selecting: now, rowAt: at, idOf: of, loadedIds = () => [] } = latest.current;
    const row = at(index);
    if (!now || row === undefined) return;
    const idOfRow = (place: number) => {
      const found = at(place);
      return found === undefined ? undefined : of(found);
    };
    const { selection, onSelection } = now;
    onSelection(isRange ? extend(selection, index, idOfRow) : toggle(selection, index, of(row), loadedIds));
  }, []);
  const openRowMenu = useCallback(
    (index: number, anchor: HTMLElement) => {
      const { rowAt: at, actionsOf: items, nameOf: name } = latest.current;
      const row = at(index);
      if (row !== undefined && items) setMenu({ anchor, label: words.actionsFor(name(row)), items: items(row) });
    },
    [words],
  );
  const moveColumn = useCallback(
    (from: number, to: number) => {
      const { columns: now, onMoveColumn } = latest.current;
      const column = now[from];
      if (!column || !onMoveColumn || to < 0 || to >= now.length) return;
      onMoveColumn(from, to);
      setSaid(words.columnAt(column.label, to + 1, now.length));
    },
    [words],
  );
  const openHeadMenu = useCallback(
    (at: number, anchor: HTMLElement) => {
      const column = latest.current.columns[at];
      if (!column) return;
      const items = headMenu({ at, grid: latest.current, words, onMove: moveColumn });
      setMenu({ anchor, label: words.columnMenu(column.label), items });
    },
    [words, moveColumn],
  );
  const toggleLoaded = useCallback(() => {
    const { selecting: now, loadedIds = () => [] } = latest.current;
    if (!now) return;
    const ids = [...loadedIds()];
    const hasAll = ids.every((id) => isSelected(now.selection, id));
    now.onSelection(hasAll ? nothingSelected : selectLoaded(ids));
  }, []);

  const pressHead = (event: KeyboardEvent): boolean => {
    const at = spot.column - (hasBox ? 1 : 0);
    const column = columns[at];
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight") && column) {
      const isOn = (event.key === "ArrowRight") !== isRightToLeft(table.current);
      const to = at + (isOn ? 1 : -1);
      isHeadMoved.current = true;
      moveColumn(at, to);
      if (to >= 0 && to < columns.length) go({ row: -1, column: spot.column + (isOn ? 1 : -1) });
      return true;
    }
    if (isMenuKey(event) || (event.altKey && event.key === "ArrowDown")) {
      if (column) openMenuOf(table.current, spot);
      return true;
    }
    if (event.key !== "Enter" && event.key !== " ") return false;
    if (at === -1) toggleLoaded();
    else if (column?.isSortable) props.onSort?.(column.id, event.shiftKey);
    return true;
  };

  const pressRow = (event: KeyboardEvent): boolean => {
    const { key } = event;
    const row = rowAt(spot.row);
    if (isMenuKey(event)) {
      openMenuOf(table.current, spot);
      return true;
    }
    if (key === "Enter" && row !== undefined) {
      if (hasActions && spot.column === columnCount - 1) openMenuOf(table.current, spot);
      else props.onOpen(row, event.ctrlKey || event.metaKey);
      return true;
    }
    if (!selecting) return false;
    if (key === " " || key === "x") {
      toggleRow(spot.row, event.shiftKey);
      return true;
    }
    if (key === "Delete" && props.onDelete) {
      props.onDelete();
      return true;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!event.shiftKey || step === undefined) return false;
    const to = Math.max(0, Math.min(count - 1, spot.row + step));
    selecting.onSelection(extendBy(selecting.selection, { from: spot.row, to }, idAt));
    go({ row: to, column: spot.column });
    return true;
  };

  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.defaultPrevented || isNative(event)) return;
    const isHandled = answer(event);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const answer = (event: KeyboardEvent): boolean => {
    const isCtrl = event.ctrlKey || event.metaKey;
    if (isCtrl && event.key === "a" && selecting && props.loadedIds) {
      selecting.onSelection(selectLoaded(props.loadedIds()));
      return true;
    }
    if (event.key === "Escape" && selecting && (selecting.selection.isAll || selecting.selection.ids.size > 0)) {
      selecting.onSelection(nothingSelected);
      return true;
    }
    if (spot.row === -1 ? pressHead(event) : pressRow(event)) return true;
    if (event.altKey) return false;
    const extent = {
      rows: total ?? 0,
      columns: columnCount,
      page: view.page,
      isRightToLeft: isRightToLeft(table.current),
    };
    const next = moveTo(spot, event, extent);
    if (next) go(next);
    return next !== undefined;
  };

  /** The spot follows a click. */
  const follow = (event: FocusEvent) => {
    const target = event.target as HTMLElement;
    const head = target.closest<HTMLElement>("[data-head]");
    const row = target.closest<HTMLElement>("[data-row]");
    if (head) setSpot({ row: -1, column: Number(head.dataset.head) });
    else if (row) {
      const cell = target.closest<HTMLElement>("[data-column][tabindex]");
      const next = { row: Number(row.dataset.row), column: cell ? Number(cell.dataset.column) : -1 };
      setSpot((now) => (now.row === next.row && now.column === next.column ? now : next));
    }
  };

  const chosen = selecting?.selection;
  const active = spot.row >= count ? { row: Math.max(0, count - 1), column: -1 } : spot;
  return (
    <div ref={scroller} className={classes(css.scroller, props.isStale && css.stale)}>
      <table
        ref={table}
        {...(hasBox ? roles.selectable : roles.grid)}
        className={css.table}
        style={styleOf(columns, { hasBox, hasActions })}
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-colcount={columnCount}
        aria-busy={props.isStale || total === undefined}
        onKeyDown={press}
        onFocus={follow}
      >
        <GridHead
          columns={columns}
          titleColumn={titleColumn}
          gridId={gridId}
          sort={sort}
          activeColumn={active.row === -1 ? active.column : undefined}
          loaded={chosen && loadedState(props)}
          hasActions={hasActions}
          onSelectLoaded={toggleLoaded}
          onSort={props.onSort}
          onMenu={props.onMoveColumn ? openHeadMenu : undefined}
          onMove={props.onMoveColumn ? moveColumn : undefined}
          onWidth={props.onWidth}
        />
        <tbody
          {...roles.rowgroup}
          className={css.body}
          style={{ blockSize: view.height, paddingBlockStart: view.start }}
        >
          {view.items.map((item) => {
            const row = rowAt(item.index);
            const id = row === undefined ? undefined : idOf(row);
            return (
              <GridRow
                key={item.index}
                words={words}
                index={item.index}
                row={row}
                id={id}
                name={row === undefined ? "" : nameOf(row)}
                mark={row === undefined ? undefined : markOf?.(row)}
                columns={columns}
                titleColumn={titleColumn}
                gridId={gridId}
                activeColumn={active.row === item.index ? active.column : undefined}
                isSelected={chosen && id !== undefined && isSelected(chosen, id)}
                onToggle={toggleRow}
                onMenu={hasActions ? openRowMenu : undefined}
              />
            );
          })}
        </tbody>
      </table>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
      {menu && <SharedMenu menu={menu} onClose={() => setMenu(undefined)} />}
    </div>
  );
}

function elementAt(table: HTMLElement, { row, column }: Spot): HTMLElement | null {
  if (row === -1) return table.querySelector(`[data-head="${column}"]`);
  const found = table.querySelector<HTMLElement>(`[data-row="${row}"]`);
  return column === -1 ? found : (found?.querySelector(`[data-column="${column}"]`) ?? null);
}

function openMenuOf(table: HTMLElement | null, { row, column }: Spot): void {
  const place = table && elementAt(table, { row, column: row === -1 ? column : -1 });
  place?.querySelector<HTMLElement>("[data-menu]")?.click();
}

/** Boxes, links and buttons inside a cell answer these themselves. */
function isNative({ target, key }: KeyboardEvent): boolean {
  return (key === "Enter" || key === " ") && (target as HTMLElement).closest("input, a, button") !== null;
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

function isRightToLeft(element: HTMLElement | null): boolean {
  return element !== null && getComputedStyle(element).direction === "rtl";
}

function loadedState<R>({ selecting, loadedIds = () => [] }: GridProps<R>): "none" | "some" | "all" {
  const { ids, isAll } = selecting?.selection ?? nothingSelected;
  if (isAll) return "all";
  if (ids.size === 0) return "none";
  return loadedIds().every((id) => ids.has(id)) ? "all" : "some";
}

interface Shape {
  hasBox: boolean;
  hasActions: boolean;
}

/** The widths of all columns. The box, the title and the actions stay in view. */
function styleOf<R>(columns: GridProps<R>["columns"], { hasBox, hasActions }: Shape) {
  const isFlexible = columns.some((column) => column.isFlexible);
  const tracks = columns.map((column, at) => {
    const takesRest = column.isFlexible || (!isFlexible && at === columns.length - 1);
    return takesRest ? `minmax(${column.width}px, 1fr)` : `${column.width}px`;
  });
  const all = [...(hasBox ? [`${boxWidth}px`] : []), ...tracks, ...(hasActions ? [`${actionsWidth}px`] : [])];
  const sum = columns.reduce((width, column) => width + column.width, 0);
  const least = sum + (hasBox ? boxWidth : 0) + (hasActions ? actionsWidth : 0);
  return {
    "--tracks": all.join(" "),
    "--head": `${headHeight}px`,
    "--title-start": hasBox ? `${boxWidth}px` : "0px",
    minInlineSize: `${least}px`,
  } as React.CSSProperties;
}
