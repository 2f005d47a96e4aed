// What is selected and what can be done with it. One stop of the Tab key; arrows move between the buttons.

import { Download, Pencil, Trash2, X } from "lucide-react";
import { Toolbar } from "react-aria-components/Toolbar";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./bulk.module.css";

interface Props {
  count: number;
  /** All that match; undefined where all of them are selected. */
  matching: number | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
  onExport: (format: "json" | "csv") => void;
}

export function SelectionBar({ count, matching, onSelectAll, onClear, onEdit, onDelete, onExport }: Props) {
  const words = useWords(gridWords);
  return (
    <Toolbar aria-label={words.selection} className={css.bar}>
      <IconButton label={words.clearSelection} icon={X} onPress={onClear} />
      <span className={css.count} role="status">
        {words.selected(count)}
      </span>
      {matching !== undefined && (
        <Button variant="quiet" onPress={onSelectAll}>
          {words.selectMatching(matching)}
        </Button>
      )}
      <span className={css.gap} />
      {onEdit && (
        <Button icon={Pencil} onPress={onEdit}>
          {words.edit}
        </Button>
      )}
      <Menu
        button={<Button icon={Download}>{words.export}</Button>}
        items={[
          { id: "json", label: words.exportJson, onAction: () => onExport("json") },
          { id: "csv", label: words.exportCsv, onAction: () => onExport("csv") },
        ]}
        placement="top start"
      />
      {onDelete && (
        <Button icon={Trash2} variant="danger" onPress={onDelete}>
          {words.delete}
        </Button>
      )}
    </Toolbar>
  );
}
