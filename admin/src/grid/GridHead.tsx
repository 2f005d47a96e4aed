// The heads of the columns: a click sorts, a drag moves, the edge resizes; the menu does all of it without a pointer.

import { ArrowDown, ArrowUp, ChevronDown } from "lucide-react";
import { memo, type PointerEvent, useRef, useState } from "react";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import type { SortKey } from "./address.ts";
import { leastWidth } from "./columns.ts";
import css from "./DataGrid.module.css";
import type { GridColumn } from "./grid-types.ts";
import { roles } from "./roles.ts";

export interface GridHeadProps {
  // biome-ignore lint/suspicious/noExplicitAny: heads do not read rows
  columns: readonly GridColumn<any>[];
  titleColumn: string;
  gridId: string;
  sort: readonly SortKey[];
  /** undefined: the focus is elsewhere. */
  activeColumn: number | undefined;
  /** undefined: nothing can be selected. */
  loaded: "none" | "some" | "all" | undefined;
  hasActions: boolean;
  onSelectLoaded: () => void;
  onSort: ((column: string, isAdding: boolean) => void) | undefined;
  onMenu: ((column: number, anchor: HTMLElement) => void) | undefined;
  onMove: ((from: number, to: number) => void) | undefined;
  onWidth: ((column: string, width: number) => void) | undefined;
}

export const GridHead = memo(function GridHead(props: GridHeadProps) {
  const { columns, titleColumn, gridId, sort, activeColumn, loaded, hasActions, onSelectLoaded } = props;
  const words = useWords(gridWords);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const first = loaded === undefined ? 0 : 1;
  return (
    <thead {...roles.rowgroup} className={css.head}>
      <tr {...roles.row} className={css.heads} aria-rowindex={1}>
        {loaded !== undefined && (
          <HeadCell column={0} isActive={activeColumn === 0} className={css.box} label={words.selectLoaded}>
            <Checkbox
              label={words.selectLoaded}
              isLabelHidden
              isSelected={loaded === "all"}
              isIndeterminate={loaded === "some"}
              tabIndex={-1}
              onChange={onSelectLoaded}
            />
          </HeadCell>
        )}
        {columns.map((column, at) => (
          <ColumnHead
            key={column.id}
            {...props}
            column={column}
            at={at}
            place={at + first}
            isActive={activeColumn === at + first}
            isTitle={column.id === titleColumn}
            labelId={`${gridId}-head-${column.id}`}
            sorted={sort.find(({ property }) => property === column.id)}
            drag={drag}
            onDrag={setDrag}
          />
        ))}
        {hasActions && (
          <HeadCell
            column={columns.length + first}
            isActive={activeColumn === columns.length + first}
            className={css.actions}
            label={words.actions}
          >
            <VisuallyHidden>{words.actions}</VisuallyHidden>
          </HeadCell>
        )}
      </tr>
    </thead>
  );
});

interface HeadCellProps {
  column: number;
  isActive: boolean;
  className?: string | undefined;
  label: string;
  children: React.ReactNode;
}

function HeadCell({ column, isActive, className, label, children }: HeadCellProps) {
  return (
    <th
      scope="col"
      {...roles.columnheader}
      className={classes(css.headCell, className)}
      aria-colindex={column + 1}
      aria-label={label}
      data-head={column}
      tabIndex={isActive ? 0 : undefined}
    >
      {children}
    </th>
  );
}

interface ColumnHeadProps extends GridHeadProps {
  // biome-ignore lint/suspicious/noExplicitAny: heads do not read rows
  column: GridColumn<any>;
  at: number;
  place: number;
  isActive: boolean;
  isTitle: boolean;
  labelId: string;
  sorted: SortKey | undefined;
  drag: { from: number; to: number } | undefined;
  onDrag: (drag: { from: number; to: number } | undefined) => void;
}

function ColumnHead(props: ColumnHeadProps) {
  const { column, at, place, isActive, isTitle, labelId, sorted, sort, drag, onDrag, onSort, onMenu, onMove, onWidth } =
    props;
  const words = useWords(gridWords);
  const isSortable = column.isSortable && onSort;
  const direction = sorted?.isDescending ? "descending" : "ascending";
  const label = (
    <span id={labelId}>{column.isLabelHidden ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}</span>
  );
  return (
    <th
      scope="col"
      {...roles.columnheader}
      className={classes(
        css.headCell,
        column.isNumeric && css.numeric,
        isTitle && css.title,
        drag?.from === at && css.dragged,
        drag && drag.to === at && drag.from !== at && (drag.to > drag.from ? css.dropAfter : css.dropBefore),
      )}
      aria-colindex={place + 1}
      aria-labelledby={labelId}
      aria-sort={column.isSortable ? (sorted ? direction : "none") : undefined}
      data-head={place}
      tabIndex={isActive ? 0 : undefined}
      draggable={onMove !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", column.label);
        onDrag({ from: at, to: at });
      }}
      onDragOver={(event) => {
        if (!drag) return;
        event.preventDefault();
        if (drag.to !== at) onDrag({ ...drag, to: at });
      }}
      onDrop={(event) => {
        event.preventDefault();
        if (drag && drag.from !== at) onMove?.(drag.from, at);
        onDrag(undefined);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      {isSortable ? (
        <button type="button" tabIndex={-1} className={css.sort} onClick={(event) => onSort(column.id, event.shiftKey)}>
          {label}
          {sorted && <Icon of={sorted.isDescending ? ArrowDown : ArrowUp} />}
          {sorted && sort.length > 1 && <span className={css.rank}>{sort.indexOf(sorted) + 1}</span>}
        </button>
      ) : (
        <span className={css.sort}>{label}</span>
      )}
      {onMenu && (
        <button
          type="button"
          tabIndex={-1}
          className={css.headMenu}
          aria-label={words.columnMenu(column.label)}
          aria-haspopup="menu"
          data-menu
          onClick={(event) => onMenu(at, event.currentTarget)}
        >
          <Icon of={ChevronDown} />
        </button>
      )}
      {onWidth && <Edge column={column} onWidth={onWidth} />}
    </th>
  );
}

/** The edge of a head: dragging it makes the column wider or narrower. The menu does the same by keyboard. */
function Edge({ column, onWidth }: { column: GridColumn<unknown>; onWidth: (column: string, width: number) => void }) {
  const from = useRef<{ x: number; width: number }>(undefined);
  const move = (event: PointerEvent<HTMLSpanElement>) => {
    if (!from.current) return;
    const way = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const width = from.current.width + way * (event.clientX - from.current.x);
    onWidth(column.id, Math.max(leastWidth, Math.round(width)));
  };
  return (
    <span
      className={css.edge}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const { width } = (event.currentTarget.parentElement as HTMLElement).getBoundingClientRect();
        from.current = { x: event.clientX, width };
      }}
      onPointerMove={move}
      onPointerUp={() => {
        from.current = undefined;
      }}
      // The head is dragged to move the column, its edge is not.
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
