// Which columns are shown and in which order. Each change holds at once.

import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./ColumnsDialog.module.css";
import type { Column } from "./columns.ts";
import { moved } from "./keys.ts";

interface Props {
  columns: readonly Column[];
  /** Names of those that are shown, in order. */
  shown: readonly string[];
  titleProperty: string;
  onChange: (shown: string[]) => void;
  onReset: () => void;
  onClose: () => void;
}

export function ColumnsDialog({ columns, shown, titleProperty, onChange, onReset, onClose }: Props) {
  const words = useWords(gridWords);
  const change = (property: string, isShown: boolean) => {
    onChange(isShown ? [...shown, property] : shown.filter((name) => name !== property));
  };
  const line = ({ property, label }: Column) => {
    const at = shown.indexOf(property);
    return (
      <li key={property} className={css.line}>
        <Checkbox
          label={label}
          isSelected={at >= 0}
          // The title names the rows.
          isDisabled={property === titleProperty}
          onChange={(isShown) => change(property, isShown)}
        />
        {at >= 0 && (
          <span className={css.moves}>
            <IconButton
              label={words.moveUp(label)}
              icon={ArrowUp}
              isSmall
              isDisabled={at === 0}
              onPress={() => onChange(moved(shown, at, at - 1))}
            />
            <IconButton
              label={words.moveDown(label)}
              icon={ArrowDown}
              isSmall
              isDisabled={at === shown.length - 1}
              onPress={() => onChange(moved(shown, at, at + 1))}
            />
          </span>
        )}
      </li>
    );
  };
  // Those that are shown come first, in their order; the others stay where they are while the dialog is open.
  const quick = columns.filter(({ isIndexed }) => isIndexed);
  const slow = columns.filter(({ isIndexed, type }) => !isIndexed && type !== "password");
  return (
    <Dialog
      title={words.columns}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onPress={onReset}>
            {words.columnsReset}
          </Button>
          <Button variant="primary" onPress={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <h3 className={css.heading}>{words.columnsQuick}</h3>
      <ul className={css.list}>{inOrder(quick, shown).map(line)}</ul>
      {slow.length > 0 && (
        <>
          <h3 className={css.heading}>{words.columnsSlow}</h3>
          <p className={css.text}>{words.columnsSlowText}</p>
          <ul className={css.list}>{inOrder(slow, shown).map(line)}</ul>
        </>
      )}
    </Dialog>
  );
}

function inOrder(columns: readonly Column[], shown: readonly string[]): Column[] {
  const place = ({ property }: Column) => {
    const at = shown.indexOf(property);
    return at < 0 ? shown.length : at;
  };
  return [...columns].sort((a, b) => place(a) - place(b));
}
