// What the settings of a rich text say: its buttons, headings, styles, classes, snippets and limits. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";

export const buttonNames = [
  ...["undo", "redo", "bold", "italic", "underline", "strike", "superscript", "subscript", "code"],
  ...["textColor", "textBgColor", "inlineStyles", "inlineClasses", "blockClasses"],
  ...["heading", "bulletList", "orderedList", "blockquote", "indent", "outdent", "codeBlock", "align"],
  ...["link", "image", "video", "file", "table", "horizontalRule", "hardBreak", "htmlSnippets", "anchor"],
  ...["clearFormatting", "codeView", "fullscreen"],
] as const;

export type ButtonName = (typeof buttonNames)[number];

/** One entry of a menu: its words, and what it stands for. */
export interface Choice {
  label: string;
  value: string;
}

export interface RichTextSettings {
  groups: ButtonName[][];
  /** The schema names the buttons. */
  hasOwnToolbar: boolean;
  levels: number[];
  inlineStyles: Choice[];
  inlineClasses: Choice[];
  blockClasses: Choice[];
  snippets: Choice[];
  colors: { textColor: Choice[]; textBgColor: Choice[] };
  allowCustomColor: { textColor: boolean; textBgColor: boolean };
  pasteAsPlainText: boolean;
  /** In pixels. */
  heightMin: number;
  heightMax: number;
  hasWordCount: boolean;
  maxWords: number | undefined;
  hasCharacterCount: boolean;
  maxCharacters: number | undefined;
}

const usual: ButtonName[][] = [
  ["bold", "italic", "underline"],
  ["heading", "bulletList", "orderedList", "blockquote", "align"],
  ["link", "image", "table"],
  ["clearFormatting", "codeView", "fullscreen"],
];

const usualColors = ["#1e2322", "#5f6763", "#b0163f", "#a8480c", "#7d5500", "#2c6a3f", "#2b5c86", "#6b3fa0"];

export function readSettings(settings: JsonObject): RichTextSettings {
  const inlineStyles = choicesOf(settings.inlineStyles);
  const inlineClasses = choicesOf(settings.inlineClasses);
  const blockClasses = choicesOf(settings.blockClasses);
  const snippets = choicesOf(settings.htmlSnippets);
  const colors = { textColor: colorsOf(settings.textColor), textBgColor: colorsOf(settings.textBgColor) };
  const given = groupsOf(settings.toolbarConfig);
  // What is set up is offered, where the toolbar is not named.
  const more = [
    inlineStyles.length > 0 && "inlineStyles",
    inlineClasses.length > 0 && "inlineClasses",
    blockClasses.length > 0 && "blockClasses",
    snippets.length > 0 && "htmlSnippets",
  ].filter((name) => name !== false) as ButtonName[];
  const groups = given ?? (more.length > 0 ? [...usual.slice(0, 3), more, ...usual.slice(3)] : usual);
  const number = (value: Json | undefined) => (typeof value === "number" && value > 0 ? value : undefined);
  const heightMin = pixelsOf(settings.heightMin) ?? pixelsOf(settings.height) ?? 200;
  return {
    groups,
    hasOwnToolbar: given !== undefined,
    levels: levelsOf(settings.headingLevels),
    inlineStyles,
    inlineClasses,
    blockClasses,
    snippets,
    colors,
    allowCustomColor: { textColor: isCustom(settings.textColor), textBgColor: isCustom(settings.textBgColor) },
    pasteAsPlainText: settings.pasteAsPlainText === true,
    heightMin,
    heightMax: Math.max(heightMin, pixelsOf(settings.heightMax) ?? pixelsOf(settings.height) ?? 800),
    hasWordCount: settings.wordCounterCount !== false,
    maxWords: number(settings.wordCounterMax),
    hasCharacterCount: settings.charCounterCount === true || number(settings.charCounterMax) !== undefined,
    maxCharacters: number(settings.charCounterMax),
  };
}

const names = new Set<string>(buttonNames);
const isButton = (name: Json): name is ButtonName => typeof name === "string" && names.has(name);

/** Groups of names; one list is one group, and names that are not known are left out. */
function groupsOf(config: Json | undefined): ButtonName[][] | undefined {
  const lists = Array.isArray(config) ? config : isJsonObject(config) ? Object.values(config) : undefined;
  if (!lists) return undefined;
  const groups = lists.some((entry) => Array.isArray(entry)) ? lists : [lists];
  const known = groups.map((group) => (Array.isArray(group) ? group : [group]).filter(isButton));
  const filled = known.filter((group) => group.length > 0);
  return filled.length > 0 ? filled : undefined;
}

function levelsOf(levels: Json | undefined): number[] {
  if (!Array.isArray(levels)) return [2, 3, 4];
  const known = levels.map(Number).filter((level) => Number.isInteger(level) && level >= 1 && level <= 6);
  return [...new Set(known)].sort();
}

/** `{label: value}`, `[{label, value}]`, or a list of texts that are both. */
function choicesOf(setting: Json | undefined): Choice[] {
  const entries = Array.isArray(setting)
    ? setting.map((entry): [unknown, unknown] =>
        isJsonObject(entry)
          ? [entry.label ?? entry.name ?? entry.title, entry.value ?? entry.style ?? entry.class ?? entry.html]
          : [entry, entry],
      )
    : isJsonObject(setting)
      ? Object.entries(setting)
      : [];
  return entries.flatMap(([label, value]) =>
    typeof value === "string" && value !== ""
      ? [{ label: typeof label === "string" && label !== "" ? label : value, value }]
      : [],
  );
}

function colorsOf(setting: Json | undefined): Choice[] {
  const found = choicesOf(isJsonObject(setting) ? setting.colors : setting).filter(({ value }) => isColor(value));
  return found.length > 0 ? found : usualColors.map((value) => ({ label: value, value }));
}

export function isColor(value: string): boolean {
  return /^(?:#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl|oklch)a?\([\w\s.,%/-]+\))$/i.test(value);
}

function isCustom(setting: Json | undefined): boolean {
  return !isJsonObject(setting) || setting.allowCustom !== false;
}

function pixelsOf(value: Json | undefined): number | undefined {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  return typeof number === "number" && number > 0 ? number : undefined;
}
