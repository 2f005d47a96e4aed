// The cleaner's work for HTML or SVG, estimated in one pass without the parser. It never underestimates:
// text that could hide an attribute from the count, such as a quote in a comment or an end tag, is read as the parser reads it.

/** Elements that need no end tag: they do not nest. */
const unclosed = new Set(
  "area base br col dd dt embed hr img input li link meta option p param rect path source td th tr track use wbr".split(
    " ",
  ),
);
/** Attributes of one tag: the parser compares each with those before it. */
const maxAttributes = 500;

export interface HtmlMeasure {
  /** Tags, entities, escaped characters, attributes. Infinite for a tag with too many of them. */
  marks: number;
  /** Of open elements. */
  depth: number;
}

/** Stops counting at more than `most` marks. */
export function measureHtml(html: string, most = Number.POSITIVE_INFINITY): HtmlMeasure {
  let marks = 0;
  let open = 0;
  let depth = 0;
  const mark = /[<>&]/g;
  for (let found = mark.exec(html); found && marks <= most; found = mark.exec(html)) {
    marks++;
    if (found[0] !== "<") continue;
    const { name, isEnd } = tagAt(html, found.index);
    if (isEnd) {
      open--;
      mark.lastIndex = endOf(html, found.index, ">");
    } else if (name !== "") {
      const { attributes, end } = measureAttributes(html, found.index + 1 + name.length);
      marks += attributes;
      mark.lastIndex = end;
      if (!unclosed.has(name.toLowerCase())) open++;
    } else mark.lastIndex = endOfAside(html, found.index);
    if (open > depth) depth = open;
    else if (open < 0) open = 0;
  }
  return { marks, depth };
}

const tag = /<(\/?)([a-z][a-z0-9]*)?/iy;

function tagAt(html: string, at: number): { name: string; isEnd: boolean } {
  tag.lastIndex = at;
  const [, slash = "", name = ""] = tag.exec(html) ?? [];
  return { name, isEnd: slash !== "" };
}

/** Comments and declarations have no attributes. */
function endOfAside(html: string, at: number): number {
  if (!/[!?]/.test(html.charAt(at + 1))) return at + 1;
  return endOf(html, at, html.startsWith("<!--", at) ? "-->" : ">");
}

function endOf(html: string, at: number, close: string): number {
  const end = html.indexOf(close, at + 2);
  return end < 0 ? html.length : end + close.length;
}

/** A separator, a name or a bare value, or a special character. */
const inTag = /[\s/]+|[^\s/>=]+|[>=]/gy;
const opening = /\s*(["'])/y;

function measureAttributes(html: string, from: number): { attributes: number; end: number } {
  let attributes = 0;
  inTag.lastIndex = from;
  for (let found = inTag.exec(html); found; found = inTag.exec(html)) {
    const [text] = found;
    if (text === ">") return { attributes, end: inTag.lastIndex };
    if (text === "=") {
      const end = endOfValue(html, inTag.lastIndex);
      attributes += countEntities(html.slice(inTag.lastIndex, end));
      inTag.lastIndex = end;
    } else if (/[^\s/]/.test(text)) attributes += 1 + countEntities(text);
    if (attributes > maxAttributes) return { attributes: Number.POSITIVE_INFINITY, end: html.length };
  }
  return { attributes, end: html.length };
}

/** After the closing quote of the value, if it is quoted. */
function endOfValue(html: string, from: number): number {
  opening.lastIndex = from;
  const quote = opening.exec(html)?.[1];
  const end = quote === undefined ? -1 : html.indexOf(quote, opening.lastIndex);
  return end < 0 ? from : end + 1;
}

function countEntities(value: string): number {
  let count = 0;
  for (let at = value.indexOf("&"); at >= 0 && count <= maxAttributes; at = value.indexOf("&", at + 1)) count++;
  return count;
}
