// One menu for all rows and heads of a grid: a menu for each would make scrolling slow.

import { useRef } from "react";
import { Floating } from "#ui/Floating.tsx";
import { type MenuEntry, MenuList } from "#ui/Menu.tsx";

export interface OpenMenu {
  anchor: HTMLElement;
  label: string;
  items: readonly MenuEntry[];
}

export function SharedMenu({ menu, onClose }: { menu: OpenMenu; onClose: () => void }) {
  const anchor = useRef<HTMLElement>(menu.anchor);
  anchor.current = menu.anchor;
  return (
    <Floating triggerRef={anchor} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} placement="bottom end">
      <MenuList label={menu.label} items={menu.items} onClose={onClose} />
    </Floating>
  );
}
