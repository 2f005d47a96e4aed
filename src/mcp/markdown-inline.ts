// The text of one block of Markdown: emphasis, code, links, images. One pass; what does not close stays as it was written.

import { escapeHtml } from "#base/text.ts";

interface Opener {
  /** `[`, `![`, or the marks of an emphasis. */
  mark: string;
  /** Where it stands among the pieces, and in the text behind it. */
  piece: number;
  from: number;
}

interface Reading {
  text: string;
  out: string[];
  open: Opener[];
  /** How many of each mark are open. */
  counts: Map<string, number>;
  ends: Ends;
}

const tags: Record<string, string> = { "**": "strong", __: "strong", "*": "em", _: "em", "~~": "del" };
const maxTarget = 2_000;
const maxAlt = 1_000;
const maxRun = 6;

export function inlineHtml(text: string): string {
  const reading: Reading = { text, out: [], open: [], counts: new Map(), ends: findEnds(text) };
  let at = 0;
  while (at < text.length) at = take(reading, at);
  return reading.out.join("");
}

/** Takes one piece; where the next one begins. */
function take(reading: Reading, at: number): number {
  const { text, out } = reading;
  const sign = text[at] as string;
  if (sign === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
    out.push(escapeHtml(text[at + 1] as string));
    return at + 2;
  }
  if (sign === "`") return takeCode(reading, at);
  if (sign === "*" || sign === "_" || sign === "~") return takeMarks(reading, at, sign);
  if (sign === "[" || (sign === "!" && text[at + 1] === "[")) return openBracket(reading, at);
  if (sign === "]") return closeBracket(reading, at);
  if (sign === "\n" || (sign === "\\" && text[at + 1] === "\n")) {
    out.push("<br>");
    return sign === "\n" ? at + 1 : at + 2;
  }
  const rest = /[^\\`*_~[\]!\n]*/y;
  rest.lastIndex = at;
  const plain = rest.exec(text)?.[0] || sign;
  out.push(escapeHtml(plain));
  return at + plain.length;
}

/** Where runs of backticks are, by length, and the closing brackets of targets. Both are walked from the front. */
interface Ends {
  runs: Map<number, number[]>;
  closing: number;
}

function findEnds(text: string): Ends {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length);
    if (places) places.push(index);
    else runs.set(run.length, [index]);
  }
  for (const places of runs.values()) places.reverse();
  return { runs, closing: -1 };
}

function takeCode({ text, out, ends }: Reading, at: number): number {
  let length = 1;
  while (text[at + length] === "`") length += 1;
  const places = ends.runs.get(length) ?? [];
  while (places.length > 0 && (places.at(-1) as number) <= at) places.pop();
  const end = places.at(-1);
  if (end === undefined) {
    out.push("`".repeat(length));
    return at + length;
  }
  const code = text.slice(at + length, end).replaceAll("\n", " ");
  const isPadded = code.length > 2 && code.startsWith(" ") && code.endsWith(" ");
  out.push(`<code>${escapeHtml(isPadded ? code.slice(1, -1) : code)}</code>`);
  return end + length;
}

/** A run of marks closes what it can, then opens. */
function takeMarks(reading: Reading, at: number, sign: string): number {
  const { text, out, open, counts } = reading;
  let length = 1;
  while (text[at + length] === sign) length += 1;
  const [before, after] = [text[at - 1] ?? " ", text[at + length] ?? " "];
  const isInWord = sign === "_" && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  const mayClose = /\S/.test(before) && !isInWord;
  const mayOpen = /\S/.test(after) && !isInWord;
  let left = length > maxRun || (sign === "~" && length !== 2) ? 0 : length;
  if (left === 0) out.push(sign.repeat(length));
  while (left > 0) {
    const mark = mayClose ? closable(reading, sign, left) : undefined;
    if (mark !== undefined) {
      const opener = popTo(reading, mark);
      out[opener.piece] = `<${tags[mark]}>`;
      out.push(`</${tags[mark]}>`);
      left -= mark.length;
      continue;
    }
    const next = sign.repeat(Math.min(2, left));
    out.push(next);
    if (mayOpen) {
      open.push({ mark: next, piece: out.length - 1, from: at + length });
      counts.set(next, (counts.get(next) ?? 0) + 1);
    }
    left -= next.length;
  }
  return at + length;
}

/** The mark on top when it is of this sign, else one that is open below. */
function closable({ open, counts }: Reading, sign: string, left: number): string | undefined {
  const top = open.at(-1)?.mark;
  const isOpen = (mark: string) => mark.length <= left && tags[mark] !== undefined && (counts.get(mark) ?? 0) > 0;
  if (top?.startsWith(sign) && isOpen(top)) return top;
  return [sign + sign, sign].find(isOpen);
}

/** What was opened since then stays text. */
function popTo({ open, counts }: Reading, mark: string): Opener {
  for (;;) {
    const last = open.pop() as Opener;
    counts.set(last.mark, (counts.get(last.mark) ?? 1) - 1);
    if (last.mark === mark) return last;
  }
}

function openBracket({ text, out, open, counts }: Reading, at: number): number {
  const mark = text[at] === "!" ? "![" : "[";
  out.push(mark);
  open.push({ mark, piece: out.length - 1, from: at + mark.length });
  counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return at + mark.length;
}

function closeBracket(reading: Reading, at: number): number {
  const { text, out, open, counts } = reading;
  const hasImage = (counts.get("![") ?? 0) > 0;
  const hasLink = (counts.get("[") ?? 0) > 0;
  const last = hasImage || hasLink ? open.findLast(({ mark }) => mark.endsWith("[")) : undefined;
  const target = last && findTarget(reading, at + 1);
  const alt = last ? text.slice(last.from, at) : "";
  if (last) popTo(reading, last.mark);
  if (!last || !target || (last.mark === "![" && alt.length > maxAlt)) {
    out.push("]");
    return at + 1;
  }
  const href = escapeHtml(target.href);
  if (last.mark === "![") {
    out.length = last.piece;
    out.push(`<img src="${href}" alt="${escapeHtml(alt)}">`);
  } else {
    out[last.piece] = `<a href="${href}">`;
    out.push("</a>");
  }
  return target.next;
}

/** `(address)`, `(<address>)` or `(address "title")`; one pair of brackets may be in the address. */
function findTarget({ text, ends }: Reading, at: number): { href: string; next: number } | undefined {
  if (text[at] !== "(") return undefined;
  if (ends.closing < at) ends.closing = text.indexOf(")", at);
  if (ends.closing < 0) ends.closing = text.length;
  if (ends.closing >= text.length || ends.closing - at > maxTarget) return undefined;
  const part = text.slice(at + 1, at + maxTarget);
  const form = /^\s{0,10}(?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))*))(?:\s{1,10}(?:"[^"]*"|'[^']*'))?\s{0,10}\)/;
  const found = form.exec(part);
  return found ? { href: (found[1] ?? found[2]) as string, next: at + 1 + found[0].length } : undefined;
}
