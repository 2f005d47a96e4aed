// The menu of an item of a deck: edit it, copy it, move it, delete it.

import { CopyPlus, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { moveActions } from "#ui/moves.ts";
import { deckWords } from "#words/decks.ts";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";

interface Props {
  /** Of the item. */
  label: string;
  at: number;
  count: number;
  /** No item can be added. */
  isFull: boolean;
  isDisabled: boolean;
  /** Absent where a button of its own opens the item. */
  onEdit?: () => void;
  onDuplicate: () => void;
  onMove: (from: number, to: number) => void;
  onRemove: () => void;
}

export function ItemMenu({ label, at, count, isFull, isDisabled, onEdit, onDuplicate, onMove, onRemove }: Props) {
  const words = useWords(deckWords);
  const ofUi = useWords(uiWords);
  const edit: MenuEntry[] = onEdit ? [{ id: "edit", label: words.editShort, icon: Pencil, onAction: onEdit }] : [];
  const remove = { id: "delete", label: words.remove, icon: Trash2, tone: "danger" as const, onAction: onRemove };
  return (
    <Menu
      button={<IconButton label={words.actions(label)} icon={Ellipsis} isSmall isDisabled={isDisabled} tabIndex={-1} />}
      placement="bottom end"
      items={[
        ...edit,
        { id: "duplicate", label: words.duplicate, icon: CopyPlus, isDisabled: isFull, onAction: onDuplicate },
        ...moveActions(ofUi, at, count, onMove),
        { section: "", items: [remove] },
      ]}
    />
  );
}
