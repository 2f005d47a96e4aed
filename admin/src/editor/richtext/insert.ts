// What `/` offers at the beginning of a paragraph.

import type { Editor } from "@tiptap/core";
import {
  Braces,
  CodeXml,
  Heading,
  Image,
  List,
  ListOrdered,
  type LucideIcon,
  Minus,
  SquareCode,
  Table,
  TextQuote,
} from "lucide-react";
import type { richtext } from "#words/en/richtext.ts";
import { toggleList } from "./blocks.ts";
import { insertHtml, insertTable } from "./commands.ts";
import type { OpenDialog } from "./dialogs.tsx";
import type { ButtonName, RichTextSettings } from "./toolbar-config.ts";

export interface Insertion {
  id: string;
  label: string;
  icon: LucideIcon;
  run: (editor: Editor) => void;
}

export function insertionsOf(
  settings: RichTextSettings,
  words: typeof richtext,
  onOpen: (dialog: OpenDialog) => void,
): Insertion[] {
  const offered = new Set<ButtonName>(settings.groups.flat());
  const may = (name: ButtonName) => !settings.hasOwnToolbar || offered.has(name);
  const all: [ButtonName, Insertion][] = [
    ...settings.levels.map((level): [ButtonName, Insertion] => [
      "heading",
      {
        ...{ id: `heading-${level}`, label: words.headingOf(level), icon: Heading },
        run: ({ commands }) => commands.setHeading({ level: level as 1 }),
      },
    ]),
    [
      "bulletList",
      {
        id: "bullets",
        label: words.bulletList,
        icon: List,
        run: (on) => toggleList(on, "bulletList"),
      },
    ],
    [
      "orderedList",
      {
        id: "numbers",
        label: words.orderedList,
        icon: ListOrdered,
        run: (on) => toggleList(on, "orderedList"),
      },
    ],
    [
      "blockquote",
      { id: "quote", label: words.blockquote, icon: TextQuote, run: (on) => on.commands.toggleWrap("blockquote") },
    ],
    ["codeBlock", { id: "code", label: words.codeBlock, icon: SquareCode, run: (on) => on.commands.setCodeBlock() }],
    [
      "table",
      {
        ...{ id: "table", label: words.table, icon: Table },
        run: insertTable,
      },
    ],
    ["image", { id: "image", label: words.image, icon: Image, run: () => onOpen({ kind: "image" }) }],
    [
      "horizontalRule",
      {
        id: "rule",
        label: words.horizontalRule,
        icon: Minus,
        run: (on) => on.commands.insertContent({ type: "horizontalRule" }),
      },
    ],
    ["codeView", { id: "html", label: words.htmlBlock, icon: CodeXml, run: () => onOpen({ kind: "html" }) }],
  ];
  const snippets = settings.snippets.map(({ label, value }, at) => ({
    ...{ id: `snippet-${at}`, label, icon: Braces },
    run: (editor: Editor) => insertHtml(editor, value),
  }));
  return [...all.filter(([name]) => may(name)).map(([, insertion]) => insertion), ...snippets];
}

export interface Slash {
  /** Of the sign. */
  from: number;
  query: string;
}

/** `/` and what was typed after it, alone in a paragraph with the cursor behind it. */
export function slashAt(editor: Editor): Slash | undefined {
  const { selection } = editor.state;
  const { $from, empty } = selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== "paragraph" || $from.parentOffset !== parent.content.size) return undefined;
  if (parent.content.size > 24 || parent.childCount !== 1) return undefined;
  const [, query] = /^\/([^/]*)$/.exec(parent.textContent) ?? [];
  return query === undefined ? undefined : { from: $from.start(), query };
}

export function matching(all: readonly Insertion[], query: string): Insertion[] {
  const wanted = query.trim().toLowerCase();
  return all.filter(({ label }) => label.toLowerCase().includes(wanted));
}
