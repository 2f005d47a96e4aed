// What each button of the toolbar shows and does.

import { redo, undo } from "@tiptap/pm/history";
import type { Command } from "@tiptap/pm/state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  mergeCells,
  splitCell,
  toggleHeader,
} from "@tiptap/pm/tables";
import {
  AlignCenter,
  AlignJustify,
  AlignLeft,
  AlignRight,
  Anchor,
  Baseline,
  Bold,
  Braces,
  Code,
  CodeXml,
  File,
  Heading,
  Heading2,
  Heading3,
  Heading4,
  Highlighter,
  Image,
  Indent,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Maximize2,
  Minimize2,
  Minus,
  Outdent,
  Paintbrush,
  Pilcrow,
  Redo2,
  RemoveFormatting,
  SquareCode,
  Strikethrough,
  Subscript,
  Superscript,
  Table,
  Tag,
  TextQuote,
  Underline,
  Undo2,
  Video,
  WrapText,
} from "lucide-react";
import type { MenuEntry } from "#ui/Menu.tsx";
import type { richtext } from "#words/en/richtext.ts";
import { toggleList } from "./blocks.ts";
import {
  clearFormatting,
  insertHtml,
  insertTable,
  setAlign,
  setInlineStyle,
  toggleBlockClass,
  toggleInline,
} from "./commands.ts";
import type { ButtonName } from "./toolbar-config.ts";
import type { ToolbarButton, ToolbarProps } from "./toolbar-props.ts";

type Words = typeof richtext;

const headings: readonly LucideIcon[] = [Heading, Heading, Heading2, Heading3, Heading4];

/** A button without anything to offer is left out. */
export function buttonsOf(props: ToolbarProps, words: Words): Partial<Record<ButtonName, ToolbarButton>> {
  const { editor, place, settings, onOpen, onFile } = props;
  const run = editor.commands;
  const isIn = (name: string) => place.around.includes(name);
  const isMarked = (name: string) => place.marks.includes(name);
  return {
    undo: {
      label: words.undo,
      icon: Undo2,
      shortcut: "Ctrl+Z",
      isDisabled: !place.canUndo,
      run: () => undo(editor.state, editor.view.dispatch),
    },
    redo: {
      label: words.redo,
      icon: Redo2,
      shortcut: "Ctrl+Y",
      isDisabled: !place.canRedo,
      run: () => redo(editor.state, editor.view.dispatch),
    },
    bold: {
      ...{ label: words.bold, icon: Bold, shortcut: "Ctrl+B", isOn: isMarked("bold") },
      run: () => run.toggleMark("bold"),
    },
    italic: {
      ...{ label: words.italic, icon: Italic, shortcut: "Ctrl+I", isOn: isMarked("italic") },
      run: () => run.toggleMark("italic"),
    },
    underline: {
      ...{ label: words.underline, icon: Underline, shortcut: "Ctrl+U", isOn: isMarked("underline") },
      run: () => run.toggleMark("underline"),
    },
    strike: { label: words.strike, icon: Strikethrough, isOn: isMarked("strike"), run: () => run.toggleMark("strike") },
    superscript: {
      ...{ label: words.superscript, icon: Superscript, isOn: isMarked("sup") },
      run: () => toggleInline(editor, "sup"),
    },
    subscript: {
      ...{ label: words.subscript, icon: Subscript, isOn: isMarked("sub") },
      run: () => toggleInline(editor, "sub"),
    },
    code: { label: words.code, icon: Code, isOn: isMarked("code"), run: () => run.toggleMark("code") },
    textColor: {
      ...{ label: words.textColor, icon: Baseline },
      items: colorItems(props, words, "textColor", "color"),
    },
    textBgColor: {
      ...{ label: words.textBgColor, icon: Highlighter },
      items: colorItems(props, words, "textBgColor", "background-color"),
    },
    ...(settings.inlineStyles.length > 0 && {
      inlineStyles: {
        ...{ label: words.inlineStyles, icon: Paintbrush },
        items: settings.inlineStyles.map(({ label, value }) => ({
          ...{ id: value, label },
          onAction: () => toggleInline(editor, "span", { style: value }),
        })),
      },
    }),
    ...(settings.inlineClasses.length > 0 && {
      inlineClasses: {
        ...{ label: words.inlineClasses, icon: Tag },
        items: settings.inlineClasses.map(({ label, value }) => ({
          ...{ id: value, label },
          onAction: () => toggleInline(editor, "span", { class: value }),
        })),
      },
    }),
    ...(settings.blockClasses.length > 0 && {
      blockClasses: {
        ...{ label: words.blockClasses, icon: Pilcrow },
        items: settings.blockClasses.map(({ label, value }) => ({
          ...{ id: value, label },
          onAction: () => toggleBlockClass(editor, value),
        })),
      },
    }),
    heading: {
      ...{ label: words.heading, icon: headings[place.level] ?? Heading, isOn: place.level > 0 },
      items: [
        { id: "0", label: words.paragraph, icon: Pilcrow, shortcut: "Ctrl+Alt+0", onAction: () => run.setParagraph() },
        ...settings.levels.map((level) => ({
          ...{ id: String(level), label: words.headingOf(level), icon: headings[level] ?? Heading },
          ...{ shortcut: `Ctrl+Alt+${level}`, onAction: () => run.setHeading({ level: level as 1 }) },
        })),
      ],
    },
    bulletList: {
      ...{ label: words.bulletList, icon: List, isOn: isIn("bulletList") },
      run: () => toggleList(editor, "bulletList"),
    },
    orderedList: {
      ...{ label: words.orderedList, icon: ListOrdered, isOn: isIn("orderedList") },
      run: () => toggleList(editor, "orderedList"),
    },
    blockquote: {
      ...{ label: words.blockquote, icon: TextQuote, isOn: isIn("blockquote") },
      run: () => run.toggleWrap("blockquote"),
    },
    indent: {
      ...{ label: words.indent, icon: Indent, isDisabled: !isIn("listItem") },
      run: () => run.sinkListItem("listItem"),
    },
    outdent: {
      ...{ label: words.outdent, icon: Outdent, isDisabled: !isIn("listItem") },
      run: () => run.liftListItem("listItem"),
    },
    codeBlock: {
      ...{ label: words.codeBlock, icon: SquareCode, isOn: isIn("codeBlock") },
      run: () => run.toggleCodeBlock(),
    },
    align: { label: words.align, icon: alignIcon(place.align), items: alignItems(props, words) },
    link: {
      ...{ label: words.link, icon: Link, shortcut: "Ctrl+Shift+K", isOn: isMarked("link") },
      run: () => onOpen({ kind: "link" }),
    },
    image: {
      ...{ label: words.image, icon: Image, isOn: place.selected === "image" },
      run: () => onOpen({ kind: "image" }),
    },
    video: { label: words.video, icon: Video, run: () => onFile("video/*,audio/*") },
    file: { label: words.file, icon: File, run: () => onFile("") },
    table: tableButton(props, words),
    horizontalRule: {
      label: words.horizontalRule,
      icon: Minus,
      run: () => run.insertContent({ type: "horizontalRule" }),
    },
    hardBreak: { label: words.hardBreak, icon: WrapText, shortcut: "Shift+Enter", run: () => run.setHardBreak() },
    ...(settings.snippets.length > 0 && {
      htmlSnippets: {
        ...{ label: words.htmlSnippets, icon: Braces },
        items: settings.snippets.map(({ label, value }, at) => ({
          ...{ id: String(at), label },
          onAction: () => insertHtml(editor, value),
        })),
      },
    }),
    anchor: { label: words.anchor, icon: Anchor, run: () => onOpen({ kind: "anchor" }) },
    clearFormatting: {
      ...{ label: words.clearFormatting, icon: RemoveFormatting },
      run: () => clearFormatting(editor),
    },
    codeView: { label: words.codeView, icon: CodeXml, isOn: props.isCodeView, run: props.onCodeView },
    fullscreen: {
      ...{ label: words.fullscreen, icon: props.isFull ? Minimize2 : Maximize2, isOn: props.isFull },
      run: props.onFull,
    },
  };
}

const alignIcons: Readonly<Record<string, LucideIcon>> = {
  center: AlignCenter,
  right: AlignRight,
  justify: AlignJustify,
};

function alignIcon(align: string): LucideIcon {
  return alignIcons[align] ?? AlignLeft;
}

function alignItems({ editor }: ToolbarProps, words: Words): MenuEntry[] {
  const { start, ...sides } = words.alignments;
  return [
    { id: "start", label: start, onAction: () => setAlign(editor, "") },
    ...Object.entries(sides).map(([id, label]) => ({
      ...{ id, label, icon: alignIcon(id) },
      onAction: () => setAlign(editor, id),
    })),
  ];
}

type ColorSetting = "textColor" | "textBgColor";

function colorItems(props: ToolbarProps, words: Words, setting: ColorSetting, property: string): MenuEntry[] {
  const { editor, settings, onOpen } = props;
  const colors = settings.colors[setting].map(({ label, value }) => ({
    ...{ id: value, label },
    onAction: () => setInlineStyle(editor, property, value),
  }));
  const other = { id: "other", label: words.otherColor, onAction: () => onOpen({ kind: "color", property }) };
  return [
    { id: "none", label: words.noColor, onAction: () => setInlineStyle(editor, property, "") },
    { section: "", items: colors },
    ...(settings.allowCustomColor[setting] ? [other] : []),
  ];
}

function tableButton({ editor, place }: ToolbarProps, words: Words): ToolbarButton {
  const run = (command: Command) => command(editor.state, editor.view.dispatch);
  if (!place.around.includes("table"))
    return {
      ...{ label: words.table, icon: Table },
      run: () => insertTable(editor),
    };
  return {
    ...{ label: words.table, icon: Table, isOn: true },
    items: [
      { id: "row-before", label: words.rowBefore, onAction: () => run(addRowBefore) },
      { id: "row-after", label: words.rowAfter, onAction: () => run(addRowAfter) },
      { id: "column-before", label: words.columnBefore, onAction: () => run(addColumnBefore) },
      { id: "column-after", label: words.columnAfter, onAction: () => run(addColumnAfter) },
      {
        section: "",
        items: [
          { id: "header", label: words.headerRow, onAction: () => run(toggleHeader("row")) },
          { id: "merge", label: words.mergeCells, onAction: () => run(mergeCells) || run(splitCell) },
        ],
      },
      {
        section: "",
        items: [
          { id: "delete-row", label: words.deleteRow, onAction: () => run(deleteRow) },
          { id: "delete-column", label: words.deleteColumn, onAction: () => run(deleteColumn) },
          { id: "delete-table", label: words.deleteTable, tone: "danger", onAction: () => run(deleteTable) },
        ],
      },
    ],
  };
}
