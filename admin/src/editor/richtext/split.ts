// Cuts HTML into its blocks without changing a character: each block keeps the text that it was stored with. Pure.
// It reads tags only as far as that needs. Whether it is right is checked by a real parser (document.ts).

import { blockTags, textTags, voidTags } from "./tags.ts";

export interface Segment {
  /** As stored. */
  source: string;
  /** White space and comments that follow. */
  gap: string;
}

export interface SplitHtml {
  /** Before the first block. */
  lead: string;
  segments: Segment[];
}

type Token = { kind: "text" | "comment" | "start" | "end"; name: string; start: number; end: number };

const tagForm = /<(\/?)([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/iy;

export function splitHtml(html: string): SplitHtml {
  const split: SplitHtml = { lead: "", segments: [] };
  /** Open elements of the block that is being read. */
  let open: string[] = [];
  /** Where the block began; -1 between blocks. */
  let begin = -1;
  let isLine = false;

  const addGap = (text: string) => {
    const last = split.segments.at(-1);
    if (last) last.gap += text;
    else split.lead += text;
  };
  const close = (end: number) => {
    if (begin < 0) return;
    const text = html.slice(begin, end);
    // White space after a line of text is between the blocks.
    const source = isLine ? text.replace(/[ \t\n\r\f]+$/, "") : text;
    split.segments.push({ source, gap: text.slice(source.length) });
    begin = -1;
    open = [];
  };
  const start = (at: number, ofLine: boolean) => {
    begin = at;
    isLine = ofLine;
  };

  for (const token of tokensOf(html)) {
    const { kind, name } = token;
    if (kind === "text" || kind === "comment") {
      if (begin >= 0) continue;
      const text = html.slice(token.start, token.end);
      const blank = kind === "comment" ? text : (/^[ \t\n\r\f]*/.exec(text)?.[0] ?? "");
      addGap(blank);
      if (blank.length < text.length) start(token.start + blank.length, true);
      continue;
    }
    if (kind === "end") {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
      else if (begin < 0) start(token.start, true);
      if (begin >= 0 && !isLine && open.length === 0) close(token.end);
      continue;
    }
    const isBlock = blockTags.has(name);
    // A paragraph without an end tag ends where the next block begins; so does a line of text.
    if (isBlock && begin >= 0 && (isLine ? open.length === 0 : open.length === 1 && open[0] === "p"))
      close(token.start);
    if (begin < 0) start(token.start, !isBlock);
    if (!voidTags.has(name)) open.push(name);
    else if (!isLine && open.length === 0) close(token.end);
  }
  close(html.length);
  return split;
}

function* tokensOf(html: string): Generator<Token> {
  let at = 0;
  let textFrom = 0;
  while (at < html.length) {
    const mark = html.indexOf("<", at);
    if (mark < 0) break;
    let token: Token | undefined;
    if (/[!?]/.test(html[mark + 1] ?? "")) {
      token = { kind: "comment", name: "", start: mark, end: commentEnd(html, mark) };
    } else {
      tagForm.lastIndex = mark;
      const [whole, slash, name = ""] = tagForm.exec(html) ?? [];
      if (whole !== undefined)
        token = { kind: slash ? "end" : "start", name: name.toLowerCase(), start: mark, end: mark + whole.length };
    }
    if (!token) {
      at = mark + 1;
      continue;
    }
    if (textFrom < mark) yield { kind: "text", name: "", start: textFrom, end: mark };
    yield token;
    at = token.end;
    if (token.kind === "start" && textTags.has(token.name)) at = textEnd(html, at, token.name);
    textFrom = at;
  }
  if (textFrom < html.length) yield { kind: "text", name: "", start: textFrom, end: html.length };
}

function commentEnd(html: string, start: number): number {
  const isComment = html.startsWith("<!--", start);
  const end = html.indexOf(isComment ? "-->" : ">", start + (isComment ? 4 : 2));
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** Where the end tag of an element of text begins. */
function textEnd(html: string, from: number, name: string): number {
  const found = html.slice(from).search(new RegExp(`</${name}[\\s/>]`, "i"));
  return found < 0 ? html.length : from + found;
}
