// A list of records that are here as a whole: jobs, keys, sessions, runs. A table with one stop of the Tab key; cards where
// there is no room. Objects of a collection have `DataGrid`, which holds windows of any number of rows.

import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, MoreHorizontal } from "lucide-react";
import { Fragment, type ReactNode, useId, useMemo, useRef, useState } from "react";
import { roles } from "#grid/roles.ts";
import { type OpenMenu, SharedMenu } from "#grid/SharedMenu.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import type { MenuEntry } from "#ui/Menu.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./RecordGrid.module.css";
import { nextOrder, type RecordOrder, sortRecords } from "./sort-records.ts";
import { useStops } from "./useStops.ts";

export interface RecordColumn<R> {
  id: string;
  label: string;
  cell: (record: R) => ReactNode;
  /** The head sorts by it. */
  sortBy?: (record: R) => string | number;
  align?: "end";
  /** As in CSS. */
  width?: string;
  /** For buttons and icons, whose column needs no words. */
  isLabelHidden?: boolean;
}

export interface RecordSelection<R> {
  chosen: ReadonlySet<string>;
  onChange: (chosen: Set<string>) => void;
  /** Name of the checkbox of a row. */
  labelOf: (record: R) => string;
  /** False for records that cannot be chosen. */
  isOffered?: (record: R) => boolean;
}

export interface RecordGridProps<R> {
  /** Name of the grid. */
  label: string;
  columns: readonly RecordColumn<R>[];
  rows: readonly R[];
  idOf: (record: R) => string;
  /** Name of the row. */
  nameOf: (record: R) => string;
  actions?: (record: R) => readonly MenuEntry[];
  actionsLabel?: (name: string) => string;
  /** Shown below the row on request; undefined for a record without any. */
  details?: (record: R) => ReactNode;
  detailsLabel?: (name: string) => string;
  selection?: RecordSelection<R>;
  /** Beneath the head while there is no row. */
  empty?: ReactNode;
  footer?: ReactNode;
  isBusy?: boolean;
}

export function RecordGrid<R>(props: RecordGridProps<R>) {
  const { label, columns, rows, idOf, actions, details, selection, empty, footer, isBusy } = props;
  const grid = useRef<HTMLTableElement>(null);
  const press = useStops(grid);
  const [order, setOrder] = useState<RecordOrder>();
  const [menu, setMenu] = useState<OpenMenu>();
  const sortBy = columns.find(({ id }) => id === order?.column)?.sortBy;
  const sorted = useMemo(
    () => (sortBy ? sortRecords(rows, sortBy, order?.isDescending ?? false) : rows),
    [rows, sortBy, order?.isDescending],
  );
  const isEmpty = rows.length === 0 && empty !== undefined;
  return (
    <div className={css.frame}>
      <div className={css.scroll}>
        <table
          {...(selection ? roles.selectable : roles.grid)}
          ref={grid}
          className={classes(css.table, isEmpty && css.bare)}
          aria-label={label}
          aria-busy={isBusy}
          onKeyDown={press}
        >
          <Head {...props} order={order} onOrder={setOrder} />
          <tbody {...roles.rowgroup}>
            {sorted.map((record) => (
              <Row
                key={idOf(record)}
                {...props}
                record={record}
                hasActions={actions !== undefined}
                hasDetails={details !== undefined}
                onMenu={setMenu}
              />
            ))}
          </tbody>
        </table>
      </div>
      {isEmpty ? <div className={css.empty}>{empty}</div> : footer && <div className={css.footer}>{footer}</div>}
      {menu && <SharedMenu menu={menu} onClose={() => setMenu(undefined)} />}
    </div>
  );
}

interface HeadProps<R> extends RecordGridProps<R> {
  order: RecordOrder | undefined;
  onOrder: (order: RecordOrder | undefined) => void;
}

function Head<R>({ columns, rows, idOf, actions, details, selection, order, onOrder }: HeadProps<R>) {
  const words = useWords(gridWords);
  return (
    <thead {...roles.rowgroup}>
      <tr {...roles.row} data-row="head">
        {selection && (
          <th {...roles.columnheader} className={css.small}>
            <SelectAll rows={rows} idOf={idOf} selection={selection} />
          </th>
        )}
        {details && (
          <th {...roles.columnheader} className={css.small}>
            <VisuallyHidden>{words.details}</VisuallyHidden>
          </th>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.id} column={column} order={order} onOrder={onOrder} />
        ))}
        {actions && (
          <th {...roles.columnheader} className={css.small}>
            <VisuallyHidden>{words.actions}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  );
}

interface ColumnHeadProps<R> extends Pick<HeadProps<R>, "order" | "onOrder"> {
  column: RecordColumn<R>;
}

function ColumnHead<R>({ column, order, onOrder }: ColumnHeadProps<R>) {
  const { id, label, sortBy, align, width, isLabelHidden } = column;
  const sorted = order?.column === id ? (order.isDescending ? "descending" : "ascending") : undefined;
  const name = isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label;
  return (
    <th
      {...roles.columnheader}
      aria-sort={sorted}
      className={align === "end" ? css.end : undefined}
      style={width ? { inlineSize: width } : undefined}
    >
      {sortBy ? (
        <button type="button" className={css.sort} onClick={() => onOrder(nextOrder(order, id))}>
          {name}
          {sorted && <Icon of={sorted === "ascending" ? ArrowUp : ArrowDown} />}
        </button>
      ) : (
        name
      )}
    </th>
  );
}

function SelectAll<R>({ rows, idOf, selection }: Required<Pick<RecordGridProps<R>, "rows" | "idOf" | "selection">>) {
  const words = useWords(gridWords);
  const offered = rows.filter((record) => selection.isOffered?.(record) ?? true).map(idOf);
  const count = offered.filter((id) => selection.chosen.has(id)).length;
  return (
    <Checkbox
      label={words.selectLoaded}
      isLabelHidden
      isSelected={count > 0 && count === offered.length}
      isIndeterminate={count > 0 && count < offered.length}
      isDisabled={offered.length === 0}
      onChange={(isSelected) => selection.onChange(new Set(isSelected ? offered : []))}
    />
  );
}

interface RowProps<R> extends RecordGridProps<R> {
  record: R;
  hasActions: boolean;
  hasDetails: boolean;
  onMenu: (menu: OpenMenu) => void;
}

function Row<R>(props: RowProps<R>) {
  const { record, columns, idOf, nameOf, actions, details, selection, hasActions, hasDetails, onMenu } = props;
  const words = useWords(gridWords);
  const [isOpen, setIsOpen] = useState(false);
  const below = useId();
  const id = idOf(record);
  const name = nameOf(record);
  const isChosen = selection?.chosen.has(id) ?? false;
  const shown = details?.(record);
  const entries = actions?.(record) ?? [];
  const menuLabel = (props.actionsLabel ?? words.actionsFor)(name);
  const detailsLabel = (props.detailsLabel ?? words.detailsOf)(name);
  return (
    <Fragment>
      <tr
        {...roles.row}
        data-row={id}
        aria-label={name}
        aria-selected={selection ? isChosen : undefined}
        className={classes(isChosen && css.chosen)}
      >
        {selection && (
          <td {...roles.gridcell} className={css.small}>
            {(selection.isOffered?.(record) ?? true) && (
              <Checkbox
                label={selection.labelOf(record)}
                isLabelHidden
                isSelected={isChosen}
                onChange={(isSelected) => selection.onChange(withChoice(selection.chosen, id, isSelected))}
              />
            )}
          </td>
        )}
        {hasDetails && (
          <td {...roles.gridcell} className={css.small}>
            {shown !== undefined && (
              <IconButton
                label={detailsLabel}
                icon={isOpen ? ChevronDown : ChevronRight}
                isSmall
                aria-expanded={isOpen}
                aria-controls={isOpen ? below : undefined}
                onPress={() => setIsOpen(!isOpen)}
              />
            )}
          </td>
        )}
        {columns.map(({ id: column, label, cell, align, isLabelHidden }, at) => (
          <td
            key={column}
            {...roles.gridcell}
            data-label={isLabelHidden || at === 0 ? undefined : label}
            className={classes(align === "end" && css.end, at === 0 && css.first)}
          >
            {cell(record)}
          </td>
        ))}
        {hasActions && (
          <td {...roles.gridcell} className={css.actions}>
            {entries.length > 0 && (
              <IconButton
                label={menuLabel}
                icon={MoreHorizontal}
                aria-haspopup="menu"
                onClick={(event) => onMenu({ anchor: event.currentTarget, label: menuLabel, items: entries })}
              />
            )}
          </td>
        )}
      </tr>
      {isOpen && shown !== undefined && (
        <tr {...roles.row} id={below} className={css.details}>
          <td {...roles.gridcell} colSpan={columns.length + 1 + (selection ? 1 : 0) + (hasActions ? 1 : 0)}>
            {shown}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function withChoice(chosen: ReadonlySet<string>, id: string, isSelected: boolean): Set<string> {
  const next = new Set(chosen);
  if (isSelected) next.add(id);
  else next.delete(id);
  return next;
}
