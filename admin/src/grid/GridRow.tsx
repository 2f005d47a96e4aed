// One row of the grid. It is drawn again only when something of its own changes.

import { memo } from "react";
import { BareCheckbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import type { grid } from "#words/en/grid.ts";
import css from "./DataGrid.module.css";
import type { GridColumn } from "./grid-types.ts";
import { roles } from "./roles.ts";

export interface GridRowProps<R> {
  words: typeof grid;
  index: number;
  /** undefined: on its way. */
  row: R | undefined;
  id: string | undefined;
  name: string;
  mark: "changed" | "gone" | undefined;
  columns: readonly GridColumn<R>[];
  titleColumn: string;
  /** Prefix of the ids of its elements. */
  gridId: string;
  /** The cell that the Tab key leads to; -1 for the whole row, undefined where another row has it. */
  activeColumn: number | undefined;
  /** undefined: nothing can be selected. */
  isSelected: boolean | undefined;
  onToggle: (index: number, isRange: boolean) => void;
  /** Opens the menu of the row at this element. */
  onMenu: ((index: number, anchor: HTMLElement) => void) | undefined;
}

function Row<R>(props: GridRowProps<R>) {
  const { index, row, id, name, mark, columns, titleColumn, gridId, activeColumn, isSelected, onToggle, onMenu } =
    props;
  const { words } = props;
  const titleId = `${gridId}-${index}`;
  const hasBox = isSelected !== undefined;
  const first = hasBox ? 1 : 0;
  /** Not a component: there are hundreds of cells, and new ones with every turn of the wheel. */
  const cell = (column: number, className: string | undefined) => ({
    ...roles.gridcell,
    className: classes(css.cell, className),
    "aria-colindex": column + 1,
    "data-column": column,
    tabIndex: activeColumn === column ? 0 : undefined,
  });
  return (
    <tr
      {...roles.row}
      className={classes(css.row, mark && css[mark])}
      tabIndex={activeColumn === -1 ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-labelledby={row ? titleId : undefined}
      aria-label={row ? undefined : words.loadingRow}
      data-row={index}
      data-id={id}
    >
      {hasBox && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid select
        <td {...cell(0, css.box)} onClick={row && ((event) => onToggle(index, event.shiftKey))}>
          {row && <BareCheckbox label={words.select(name)} isSelected={isSelected} />}
        </td>
      )}
      {columns.map((column, at) => {
        const look = classes(column.isNumeric && css.numeric, column.id === titleColumn && css.title);
        return (
          <td key={column.id} {...cell(at + first, look)}>
            {row ? column.render(row, titleId) : <span className={css.skeleton} />}
          </td>
        );
      })}
      {onMenu && (
        <td {...cell(columns.length + first, css.actions)}>
          {row && (
            <button
              type="button"
              tabIndex={-1}
              className={css.menu}
              aria-label={words.actionsFor(name)}
              aria-haspopup="menu"
              data-menu
              onClick={(event) => onMenu(index, event.currentTarget)}
            />
          )}
        </td>
      )}
    </tr>
  );
}

export const GridRow = memo(Row) as typeof Row;
