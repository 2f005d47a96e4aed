// One row of the grid. It is drawn again only when something of its own changes.

import { Ellipsis } from "lucide-react";
import { memo, type ReactNode, useRef } from "react";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./DataGrid.module.css";
import type { GridColumn } from "./grid-types.ts";
import { roles } from "./roles.ts";

export interface GridRowProps<R> {
  index: number;
  top: number;
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
  const { index, top, row, id, name, mark, columns, titleColumn, gridId, activeColumn, isSelected, onToggle, onMenu } =
    props;
  const words = useWords(gridWords);
  const titleId = `${gridId}-${index}`;
  const hasBox = isSelected !== undefined;
  const first = hasBox ? 1 : 0;
  return (
    <tr
      {...roles.row}
      className={classes(css.row, mark && css[mark])}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={activeColumn === -1 ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-labelledby={row ? titleId : undefined}
      aria-label={row ? undefined : words.loadingRow}
      data-row={index}
      data-id={id}
    >
      {hasBox && (
        <GridCell column={0} isActive={activeColumn === 0} className={css.box}>
          {row && (
            <RowBox
              label={words.select(name)}
              isSelected={isSelected}
              onToggle={(isRange) => onToggle(index, isRange)}
            />
          )}
        </GridCell>
      )}
      {columns.map((column, at) => (
        <GridCell
          key={column.id}
          column={at + first}
          isActive={activeColumn === at + first}
          className={classes(column.isNumeric && css.numeric, column.id === titleColumn && css.title)}
        >
          {row ? column.render(row, titleId) : <span className={css.skeleton} />}
        </GridCell>
      ))}
      {onMenu && (
        <GridCell
          column={columns.length + first}
          isActive={activeColumn === columns.length + first}
          className={css.actions}
        >
          {row && (
            <button
              type="button"
              tabIndex={-1}
              className={css.menu}
              aria-label={words.actionsFor(name)}
              aria-haspopup="menu"
              data-menu
              onClick={(event) => onMenu(index, event.currentTarget)}
            >
              <Icon of={Ellipsis} />
            </button>
          )}
        </GridCell>
      )}
    </tr>
  );
}

export const GridRow = memo(Row) as typeof Row;

interface GridCellProps {
  column: number;
  isActive: boolean;
  className?: string | undefined;
  children: ReactNode;
}

function GridCell({ column, isActive, className, children }: GridCellProps) {
  return (
    <td
      {...roles.gridcell}
      className={classes(css.cell, className)}
      aria-colindex={column + 1}
      data-column={column}
      tabIndex={isActive ? 0 : undefined}
    >
      {children}
    </td>
  );
}

/** With Shift the click chooses a range. */
function RowBox({
  label,
  isSelected,
  onToggle,
}: {
  label: string;
  isSelected: boolean;
  onToggle: (isRange: boolean) => void;
}) {
  const isRange = useRef(false);
  return (
    <span
      className={css.boxFrame}
      onClickCapture={(event) => {
        isRange.current = event.shiftKey;
      }}
    >
      <Checkbox
        label={label}
        isLabelHidden
        isSelected={isSelected}
        tabIndex={-1}
        onChange={() => onToggle(isRange.current)}
      />
    </span>
  );
}
