// What the toolbar takes, and what a button of it is.

import type { Editor } from "@tiptap/core";
import type { LucideIcon } from "lucide-react";
import type { MenuEntry } from "#ui/Menu.tsx";
import type { OpenDialog } from "./dialogs.tsx";
import type { Place } from "./engine.ts";
import type { RichTextSettings } from "./toolbar-config.ts";

export interface ToolbarProps {
  label: string;
  /** Id of the text. */
  controls: string;
  editor: Editor;
  place: Place;
  settings: RichTextSettings;
  isCodeView: boolean;
  isFull: boolean;
  isDisabled: boolean;
  onCodeView: () => void;
  onFull: () => void;
  onOpen: (dialog: OpenDialog) => void;
  onFile: (accept: string) => void;
  /** Back to the text. */
  onLeave: () => void;
}

/** A button, or one that opens a menu. */
export interface ToolbarButton {
  label: string;
  icon: LucideIcon;
  /** Undefined where it is not on or off. */
  isOn?: boolean;
  isDisabled?: boolean;
  shortcut?: string;
  run?: () => void;
  items?: readonly MenuEntry[];
}
