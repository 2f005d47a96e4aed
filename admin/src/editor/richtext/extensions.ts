// What the editor knows: nodes, marks and keys. Every element keeps its tag and all of its attributes.

import {
  Extension,
  type Extensions,
  Mark,
  markInputRule,
  mergeAttributes,
  Node,
  textblockTypeInputRule,
} from "@tiptap/core";
import { CodeBlock } from "@tiptap/extension-code-block";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Heading, type Level } from "@tiptap/extension-heading";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Text } from "@tiptap/extension-text";
import { attributesOf, isSafeAddress, type Kept, shownAttributes } from "./attributes.ts";
import { Blockquote, BulletList, Changes, HorizontalRule, ListItem, OrderedList, tables } from "./blocks.ts";
import { htmlBlockView, imageView, inlineHtmlView, type ViewWords } from "./node-views.ts";

const keeping = [
  ...["paragraph", "heading", "bulletList", "orderedList", "listItem", "blockquote", "container", "codeBlock", "table"],
  ...["horizontalRule", "tableRow", "tableCell", "tableHeader", "hardBreak", "image"],
  ...["bold", "italic", "underline", "strike", "code", "inline", "link"],
];

/** All attributes of an element, as they were written. A new paragraph does not get those of the one before it. */
const Keep = Extension.create({
  name: "keep",
  addGlobalAttributes: () => [
    {
      types: keeping,
      attributes: {
        keep: {
          default: null,
          keepOnSplit: false,
          parseHTML: attributesOf,
          renderHTML: ({ keep }) => shownAttributes(keep as Kept),
        },
      },
    },
  ],
});

/** The tag that it was written with. */
const tag = (tags: string[]) => ({
  tag: {
    default: null,
    rendered: false,
    keepOnSplit: false,
    parseHTML: ({ localName }: HTMLElement) => (tags.includes(localName) ? localName : null),
  },
});

/** Words that are written with one of several tags. */
function words(name: string, tags: string[], key: string, ...rules: RegExp[]) {
  return Mark.create({
    name,
    excludes: name,
    code: name === "code",
    addAttributes: () => tag(tags),
    parseHTML: () => tags.map((one) => ({ tag: one })),
    renderHTML: ({ HTMLAttributes }) => [tags[0] as string, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return { [key]: () => this.editor.commands.toggleMark(name) };
    },
    addInputRules() {
      return rules.map((find) => markInputRule({ find, type: this.type }));
    },
  });
}

const wordMarks = [
  words("bold", ["strong", "b"], "Mod-b", /(?:^|\s)(\*\*(?!\s+\*\*)((?:[^*]+))\*\*(?!\s+\*\*))$/),
  words("italic", ["em", "i"], "Mod-i", /(?:^|\s)(\*(?!\s+\*)((?:[^*]+))\*(?!\s+\*))$/),
  words("underline", ["u"], "Mod-u"),
  words("strike", ["s", "strike", "del"], "Mod-Shift-s"),
  words("code", ["code"], "Mod-e", /(?:^|[^`])(`([^`]+)`)$/),
];

const Container = Node.create({
  name: "container",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({
    tag: { default: "div", rendered: false, parseHTML: (element: HTMLElement) => element.dataset.tag ?? "div" },
  }),
  parseHTML: () => [{ tag: "div[data-tag]" }],
  renderHTML: ({ node, HTMLAttributes }) => ["div", mergeAttributes(HTMLAttributes, { "data-tag": node.attrs.tag }), 0],
});

const Image = Node.create({
  name: "image",
  group: "inline",
  inline: true,
  draggable: true,
  parseHTML: () => [{ tag: "img[src]" }],
  // What is shown is a view of its own.
  renderHTML: ({ node }) => ["img", { src: node.attrs.keep?.src ?? "" }],
});

const InlineHtml = Node.create({
  name: "inlineHtml",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({
    html: {
      default: "",
      rendered: false,
      parseHTML: (element: HTMLElement) => element.getAttribute("data-html") ?? "",
    },
  }),
  parseHTML: () => [{ tag: "span[data-html]", priority: 100 }],
  renderHTML: ({ node }) => ["span", { "data-html": node.attrs.html }],
});

const HtmlBlock = Node.create({
  name: "htmlBlock",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    html: {
      default: "",
      rendered: false,
      parseHTML: (element: HTMLElement) => element.getAttribute("data-html") ?? "",
    },
  }),
  parseHTML: () => [{ tag: "div[data-html]", priority: 100 }],
  renderHTML: ({ node }) => ["div", { "data-html": node.attrs.html }],
});

const Link = Mark.create({
  name: "link",
  priority: 1000,
  inclusive: false,
  parseHTML: () => [{ tag: "a" }],
  renderHTML({ mark, HTMLAttributes }) {
    const address: string | undefined = mark.attrs.keep?.href;
    const isShown = address !== undefined && isSafeAddress(address);
    return ["a", mergeAttributes(HTMLAttributes, isShown ? { href: address, rel: "noreferrer" } : {}), 0];
  },
});

const inlineTags = "sub sup small mark abbr cite q kbd samp var ins dfn time big tt bdi bdo".split(" ");

/** All other words with a tag of their own: font, span, abbr ... Several may lie around the same words. */
const Inline = Mark.create({
  name: "inline",
  excludes: "",
  addAttributes: () => ({
    tag: { default: "span", rendered: false, parseHTML: ({ localName }: HTMLElement) => localName },
  }),
  parseHTML: () => [...inlineTags, "span[class]", "span[style]"].map((name) => ({ tag: name })),
  renderHTML: ({ mark, HTMLAttributes }) => [shownTag(mark.attrs.tag), HTMLAttributes, 0],
});

/** Only what cannot do anything by itself is shown as what it is. */
function shownTag(name: string): string {
  return inlineTags.includes(name) ? name : "span";
}

const allLevels: Level[] = [1, 2, 3, 4, 5, 6];

export interface ExtensionOptions {
  levels: readonly number[];
  words: ViewWords;
}

export function extensionsOf({ levels, words: said }: ExtensionOptions): Extensions {
  const offered = allLevels.filter((level) => levels.includes(level));
  return [
    Document,
    Text,
    Paragraph.extend({
      addAttributes: () => tag(["p"]),
      renderHTML: ({ HTMLAttributes }) => ["p", HTMLAttributes, 0],
    }),
    Heading.extend({
      addKeyboardShortcuts() {
        return Object.fromEntries(
          offered.map((level) => [`Mod-Alt-${level}`, () => this.editor.commands.toggleHeading({ level })]),
        );
      },
      addInputRules() {
        return offered.map((level) =>
          textblockTypeInputRule({ find: new RegExp(`^(#{${level}})\\s$`), type: this.type, getAttributes: { level } }),
        );
      },
    }).configure({ levels: allLevels }),
    BulletList,
    OrderedList,
    ListItem,
    Blockquote,
    Container,
    CodeBlock.extend({
      addAttributes() {
        return {
          ...this.parent?.(),
          /** Attributes of the code element; false: there is none. */
          inner: { default: null, rendered: false, parseHTML: () => null },
        };
      },
      renderHTML: ({ HTMLAttributes }) => ["pre", HTMLAttributes, ["code", 0]],
    }),
    HorizontalRule,
    HardBreak,
    ...tables,
    Image.extend({ addNodeView: () => imageView(said) }),
    InlineHtml.extend({ addNodeView: () => inlineHtmlView(said) }),
    HtmlBlock.extend({ addNodeView: () => htmlBlockView(said) }),
    Link,
    Inline,
    ...wordMarks,
    Keep,
    Changes,
  ];
}
