// How code looks: our tokens, so that both themes follow by themselves.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.tagName], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: "var(--warn)" },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.propertyName)], color: "var(--info)" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.labelName], color: "var(--info)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--info)" },
  { tag: [tags.punctuation, tags.bracket, tags.separator, tags.angleBracket], color: "var(--ink-2)" },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--info)", textDecoration: "underline" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/** Chromium gives a line the look of the text that was replaced in it, as an inline style, and CodeMirror may leave it there. */
const asTheEditor = {
  color: "inherit !important",
  font: "inherit !important",
  textDecoration: "none !important",
  backgroundColor: "transparent !important",
};

const theme = EditorView.theme({
  "&": { inlineSize: "100%", minInlineSize: "0", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    fontSize: "0.8125rem",
    lineHeight: "1.25rem",
    overflow: "auto",
    scrollbarWidth: "thin",
  },
  ".cm-content": { paddingBlock: "var(--space-3)", caretColor: "var(--ink)" },
  ".cm-line": { paddingInline: "var(--space-2) var(--space-4)", ...asTheEditor },
  ".cm-placeholder": { color: "var(--ink-3)", fontFamily: "var(--font)" },
  ".cm-cursor, .cm-dropCursor": { borderInlineStartColor: "var(--ink)", borderInlineStartWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)" },
  ".cm-gutters": {
    border: "0",
    backgroundColor: "transparent",
    color: "var(--ink-3)",
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-lineNumbers .cm-gutterElement": { minInlineSize: "1.75rem", paddingInline: "0 var(--space-2)" },
  ".cm-foldGutter .cm-gutterElement": { inlineSize: "1rem", textAlign: "center", cursor: "pointer" },
  ".cm-foldPlaceholder": {
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-control)",
    backgroundColor: "var(--sunken)",
    color: "var(--ink-2)",
    marginInline: "var(--space-2)",
    paddingInline: "var(--space-2)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--edge)",
    borderRadius: "2px",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    color: "var(--bad)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)", borderRadius: "2px" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outlineColor: "var(--accent)" },
  ".cm-selectionMatch": { backgroundColor: "var(--info-soft)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintPoint-error:after": { borderBlockEndColor: "var(--bad)" },
  ".cm-gutter-lint": { inlineSize: "1rem" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0", display: "grid", placeContent: "center" },
  ".cm-lint-marker": { inlineSize: "10px", blockSize: "10px" },
  ".cm-lint-marker-error": {
    content: "normal",
    inlineSize: "8px",
    blockSize: "8px",
    borderRadius: "var(--radius-full)",
    backgroundColor: "var(--bad)",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-control)",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    zIndex: "var(--z-popover)",
  },
  ".cm-diagnostic": { fontFamily: "var(--font)", padding: "var(--space-2) var(--space-4)" },
  ".cm-diagnostic-error": { borderInlineStart: "3px solid var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--ink)" },
  ".cm-panels-top": { borderBlockEnd: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderBlockStart: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "var(--space-2) var(--space-3)",
    padding: "var(--space-3)",
    paddingInlineEnd: "var(--space-7)",
    font: "var(--text-cell)",
  },
  ".cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "var(--space-2)",
    fontSize: "inherit",
  },
  ".cm-panel.cm-search input, .cm-panel.cm-search button": { margin: "0" },
  ".cm-textfield": {
    minBlockSize: "28px",
    paddingInline: "var(--space-3)",
    border: "1px solid var(--edge)",
    borderRadius: "var(--radius-control)",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    font: "var(--text-cell)",
  },
  ".cm-button": {
    minBlockSize: "28px",
    paddingInline: "var(--space-3)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-control)",
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    font: "var(--text-cell)",
    cursor: "pointer",
  },
  ".cm-button:hover": { borderColor: "var(--edge)" },
  ".cm-panel.cm-search [name=close]": {
    insetBlockStart: "var(--space-2)",
    insetInlineEnd: "var(--space-2)",
    inlineSize: "28px",
    blockSize: "28px",
    color: "var(--ink-2)",
    fontSize: "1.125rem",
    cursor: "pointer",
  },
});

export const look: Extension = [theme, syntaxHighlighting(highlight)];
