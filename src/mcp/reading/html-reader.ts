// From HTML to Markdown or plain text, for language models. For reading only, never to be stored; the words for search come
// from base/text.ts, whose results are stored and must not change. One pass over the text, with a bounded stack: hostile
// markup costs no more than its length.

export type ReadingFormat = "markdown" | "text";

interface Frame {
  tag: string;
  attributes: string;
  content: string;
  /** Of a list: items so far. Of a table: its rows. */
  items: number;
  rows: string[][];
}

const maxDepth = 100;
const voidTags = new Set("area br col embed hr img input link meta source track wbr".split(" "));
const silentTags = new Set(["script", "style", "template", "head"]);
const blocks = new Set(
  "p div section article aside header footer main figure figcaption details summary dl dt dd address center".split(" "),
);
const marks: Record<string, string> = { strong: "**", b: "**", em: "*", i: "*", del: "~~", s: "~~", strike: "~~" };
/** A placeholder for a line break of preformatted text, which must survive the clean-up. No stored text contains it. */
const keptBreak = "\u0000";

export function readHtml(html: string, format: ReadingFormat): string {
  if (!html.includes("<") && !html.includes("&")) return html.trim();
  const stack: Frame[] = [frameOf("", "")];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const isTag = open >= 0 && /[a-z/!?]/i.test(html[open + 1] ?? "");
    const textEnd = open < 0 ? html.length : isTag ? open : open + 1;
    addText(stack, html.slice(at, textEnd));
    if (!isTag) {
      at = textEnd;
      continue;
    }
    const isComment = html.startsWith("<!--", open);
    const end = isComment ? html.indexOf("-->", open) : html.indexOf(">", open);
    if (end < 0) break;
    if (!isComment) takeTag(stack, html.slice(open + 1, end), format);
    at = end + (isComment ? 3 : 1);
  }
  while (stack.length > 1) close(stack, format);
  return tidy((stack[0] as Frame).content).replaceAll(keptBreak, "\n");
}

function frameOf(tag: string, attributes: string): Frame {
  return { tag, attributes, content: "", items: 0, rows: [] };
}

function topOf(stack: Frame[]): Frame {
  return stack.at(-1) as Frame;
}

function addText(stack: Frame[], raw: string): void {
  if (raw === "") return;
  const top = topOf(stack);
  const text = decodeEntities(raw).replaceAll(keptBreak, "");
  const isPre = stack.some(({ tag }) => tag === "pre");
  top.content += isPre ? text.replace(/\r?\n/g, keptBreak) : text.replace(/[ \t\r\n]+/g, " ");
}

function takeTag(stack: Frame[], inner: string, format: ReadingFormat): void {
  const [, slash, name = "", attributes = ""] = /^(\/?)([a-z][a-z0-9]*)(.*)$/is.exec(inner) ?? [];
  const tag = name.toLowerCase();
  if (tag === "") return;
  if (slash) {
    if (!stack.some((frame) => frame.tag === tag)) return;
    while (topOf(stack).tag !== tag) close(stack, format);
    close(stack, format);
  } else if (voidTags.has(tag)) addVoid(topOf(stack), tag, { attributes, format });
  else if (stack.length < maxDepth) stack.push(frameOf(tag, attributes));
}

function addVoid(top: Frame, tag: string, { attributes, format }: { attributes: string; format: ReadingFormat }): void {
  if (tag === "br") top.content += "\n";
  else if (tag === "hr") top.content += format === "markdown" ? "\n\n---\n\n" : "\n\n";
  else if (tag === "img") {
    const alt = attribute(attributes, "alt");
    const src = attribute(attributes, "src");
    top.content += format === "text" ? alt : `![${alt}](${src})`;
  }
}

/** Takes the innermost element from the stack and adds what it reads as to the one around it. */
function close(stack: Frame[], format: ReadingFormat): void {
  const frame = stack.pop() as Frame;
  topOf(stack).content += readElement(frame, stack, format === "markdown");
}

function readElement(frame: Frame, stack: Frame[], isMarkdown: boolean): string {
  const { tag, content } = frame;
  if (silentTags.has(tag)) return "";
  const inner = tidy(content);
  const heading = /^h([1-6])$/.exec(tag)?.[1];
  if (heading) return block(isMarkdown && inner ? `${"#".repeat(Number(heading))} ${oneLine(inner)}` : inner);
  switch (tag) {
    case "pre":
      return block(isMarkdown ? `\`\`\`${keptBreak}${content.trimEnd()}${keptBreak}\`\`\`` : content);
    case "blockquote":
      return block(isMarkdown ? inner.replace(/^/gm, "> ") : inner);
    case "ul":
    case "ol":
      return block(content.trim());
    case "li":
      return itemText(topOf(stack), inner, frame);
    case "tr":
      if (frame.rows.length > 0) findTable(stack).rows.push(frame.rows.flat());
      return "";
    case "td":
    case "th":
      topOf(stack).rows.push([oneLine(inner).replaceAll("|", isMarkdown ? "\\|" : "|")]);
      return "";
    case "table":
      return block(tableText(frame.rows, isMarkdown) || inner);
    case "a":
      return link(content, attribute(frame.attributes, "href"), isMarkdown);
    case "iframe":
    case "video":
    case "audio":
      return block(isMarkdown ? link(inner || tag, attribute(frame.attributes, "src"), true) : inner);
    case "code":
      return isMarkdown && !isInPre(stack) && content.trim() ? `\`${content.trim()}\`` : content;
    default:
      if (blocks.has(tag)) return block(inner);
      return isMarkdown ? marked(content, marks[tag] ?? "") : content;
  }
}

function block(text: string): string {
  return text === "" ? "" : `\n\n${text}\n\n`;
}

function isInPre(stack: Frame[]): boolean {
  return stack.some(({ tag }) => tag === "pre");
}

function findTable(stack: Frame[]): Frame {
  return stack.findLast(({ tag }) => tag === "table") ?? topOf(stack);
}

/** Marks stand at the words, not at the spaces around them. */
function marked(content: string, mark: string): string {
  const words = content.trim();
  if (mark === "" || words === "") return content;
  const start = content.indexOf(words);
  return `${content.slice(0, start)}${mark}${words}${mark}${content.slice(start + words.length)}`;
}

function link(content: string, href: string, isMarkdown: boolean): string {
  const words = oneLine(content);
  if (!isMarkdown || href === "") return content;
  return `[${words || href}](${href})`;
}

function itemText(parent: Frame, inner: string, { attributes }: Frame): string {
  parent.items += 1;
  const start = Number(attribute(attributes, "value") || attribute(parent.attributes, "start") || 1);
  const first = Number.isSafeInteger(start) ? start : 1;
  const marker = parent.tag === "ol" ? `${first + parent.items - 1}. ` : "- ";
  const lines = inner.replace(/\n{2,}/g, "\n").replaceAll("\n", `\n${" ".repeat(marker.length)}`);
  return `\n${marker}${lines}`;
}

function tableText(rows: string[][], isMarkdown: boolean): string {
  if (rows.length === 0) return "";
  if (!isMarkdown) return rows.map((cells) => cells.join("\t")).join("\n");
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** No spaces at the ends of lines, at most one empty line; what is preformatted stays. Nothing that looks back. */
function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function attribute(attributes: string, name: string): string {
  for (const [, found = "", double, single, bare] of attributes.matchAll(
    /([a-z][a-z0-9-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi,
  ))
    if (found.toLowerCase() === name) return decodeEntities(double ?? single ?? bare ?? "").trim();
  return "";
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  shy: "",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  deg: "°",
  times: "×",
};

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (entity, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? entity;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
  });
}
