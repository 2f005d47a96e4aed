// Lists and tables, and the history of changes.

import { type Editor, Extension, Node, wrappingInputRule } from "@tiptap/core";
import { gapCursor } from "@tiptap/pm/gapcursor";
import { history, redo, undo } from "@tiptap/pm/history";
import type { Schema } from "@tiptap/pm/model";
import { AllSelection, type Command, Selection } from "@tiptap/pm/state";
import { addRowAfter, goToNextCell, tableEditing } from "@tiptap/pm/tables";

/** Where all is selected, the words are: a list is looked for around words. */
export function toggleList(editor: Editor, name: "bulletList" | "orderedList"): boolean {
  const { doc, selection } = editor.state;
  const words = { from: Selection.atStart(doc).from, to: Selection.atEnd(doc).to };
  const chain = selection instanceof AllSelection ? editor.chain().setTextSelection(words) : editor.chain();
  return chain.toggleList(name, "listItem").run();
}

export const BulletList = Node.create({
  name: "bulletList",
  group: "block list",
  content: "listItem+",
  parseHTML: () => [{ tag: "ul" }],
  renderHTML: ({ HTMLAttributes }) => ["ul", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return { "Mod-Shift-8": () => toggleList(this.editor, "bulletList") };
  },
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*([-+*])\s$/, type: this.type })];
  },
});

export const OrderedList = Node.create({
  name: "orderedList",
  group: "block list",
  content: "listItem+",
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (element: HTMLElement) => Number.parseInt(element.getAttribute("start") ?? "", 10) || 1,
    },
  }),
  parseHTML: () => [{ tag: "ol" }],
  renderHTML: ({ HTMLAttributes }) => ["ol", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return { "Mod-Shift-7": () => toggleList(this.editor, "orderedList") };
  },
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^(\d{1,3})\.\s$/,
        type: this.type,
        getAttributes: ([, number]) => ({ start: Number(number) }),
        joinPredicate: ([, number], node) => node.childCount + Number(node.attrs.start) === Number(number),
      }),
    ];
  },
});

export const ListItem = Node.create({
  name: "listItem",
  content: "block+",
  defining: true,
  parseHTML: () => [{ tag: "li" }],
  renderHTML: ({ HTMLAttributes }) => ["li", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return {
      Enter: () => this.editor.commands.splitListItem("listItem"),
      Tab: () => this.editor.commands.sinkListItem("listItem"),
      "Shift-Tab": () => this.editor.commands.liftListItem("listItem"),
      // At the beginning of an item it leaves the list.
      Backspace: () => {
        const { $from, empty } = this.editor.state.selection;
        const isStart = empty && $from.parentOffset === 0 && $from.depth > 1 && $from.index(-1) === 0;
        return isStart && $from.node(-1).type.name === "listItem" && this.editor.commands.liftListItem("listItem");
      },
    };
  },
});

export const Blockquote = Node.create({
  name: "blockquote",
  group: "block",
  content: "block+",
  defining: true,
  parseHTML: () => [{ tag: "blockquote" }],
  renderHTML: ({ HTMLAttributes }) => ["blockquote", HTMLAttributes, 0],
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*>\s$/, type: this.type })];
  },
});

export const HorizontalRule = Node.create({
  name: "horizontalRule",
  group: "block",
  parseHTML: () => [{ tag: "hr" }],
  renderHTML: ({ HTMLAttributes }) => ["hr", HTMLAttributes],
});

const roles: Readonly<Record<string, string>> = {
  table: "table",
  tableRow: "row",
  tableCell: "cell",
  tableHeader: "header_cell",
};

const Table = Node.create({
  name: "table",
  group: "block",
  content: "tableRow+",
  isolating: true,
  /** Caption and columns, as they were written. */
  addAttributes: () => ({ head: { default: "", rendered: false, parseHTML: () => "" } }),
  parseHTML: () => [{ tag: "table" }],
  renderHTML: ({ HTMLAttributes }) => ["table", HTMLAttributes, ["tbody", 0]],
  extendNodeSchema: ({ name }) => (roles[name] ? { tableRole: roles[name] } : {}),
  addProseMirrorPlugins: () => [tableEditing({ allowTableNodeSelection: true })],
  addKeyboardShortcuts() {
    const run = (command: Command) => command(this.editor.state, this.editor.view.dispatch, this.editor.view);
    return {
      Tab: () => run(goToNextCell(1)) || (run(addRowAfter) && run(goToNextCell(1))),
      "Shift-Tab": () => run(goToNextCell(-1)),
    };
  },
});

const TableRow = Node.create({
  name: "tableRow",
  content: "(tableCell | tableHeader)*",
  /** `thead`, `tbody` or `tfoot`; null: that of the row before it. */
  addAttributes: () => ({ section: { default: null, rendered: false, parseHTML: () => null } }),
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: ({ HTMLAttributes }) => ["tr", HTMLAttributes, 0],
});

function cell(name: string, tag: "td" | "th") {
  const span = (side: string) => ({
    default: 1,
    parseHTML: (element: HTMLElement) => Math.max(1, Number.parseInt(element.getAttribute(side) ?? "", 10) || 1),
  });
  return Node.create({
    name,
    content: "block+",
    isolating: true,
    addAttributes: () => ({
      colspan: span("colspan"),
      rowspan: span("rowspan"),
      colwidth: { default: null, rendered: false, parseHTML: () => null },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });
}

export const tables = [Table, TableRow, cell("tableCell", "td"), cell("tableHeader", "th")];

/** With a first row of headings. */
export function newTable(schema: Schema, rows: number, columns: number) {
  const row = (kind: string) =>
    schema.node(
      "tableRow",
      null,
      Array.from({ length: columns }, () => schema.node(kind, null, [schema.node("paragraph")])),
    );
  const all = Array.from({ length: rows }, (_, at) => row(at === 0 ? "tableHeader" : "tableCell"));
  return schema.node("table", null, all);
}

export const Changes = Extension.create({
  name: "changes",
  addProseMirrorPlugins: () => [history(), gapCursor()],
  addKeyboardShortcuts() {
    const run = (command: Command) => command(this.editor.state, this.editor.view.dispatch);
    return { "Mod-z": () => run(undo), "Mod-y": () => run(redo), "Shift-Mod-z": () => run(redo) };
  },
});
