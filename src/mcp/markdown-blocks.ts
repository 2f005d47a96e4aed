// From Markdown to HTML, for rich text that agents write: what the reader (reading/html-reader.ts) gives back, and no more.
// Tags in it are text. A line break is a line break, as it is read. One pass over each line, with bounded nesting: hostile
// text costs no more than its length. The schema cleans the result like any other HTML.

import { escapeHtml } from "#base/text.ts";
import { inlineHtml } from "./markdown-inline.ts";

/** Quotes and lists inside each other; deeper ones are plain lines. */
const maxDepth = 12;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const bullet = /^( {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)\S/;

export function markdownToHtml(text: string): string {
  return blocksOf(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

interface Taken {
  html: string;
  /** The line behind it. */
  next: number;
}

function blocksOf(lines: readonly string[], depth: number): string {
  const out: string[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const { html, next } = takeBlock(lines, at, depth);
    out.push(html);
    at = next;
  }
  return out.join("");
}

function takeBlock(lines: readonly string[], at: number, depth: number): Taken {
  const line = lines[at] as string;
  if (fence.test(line)) return takeCode(lines, at);
  const [, marks, title] = heading.exec(line) ?? [];
  if (marks !== undefined && title !== undefined) {
    return { html: `<h${marks.length}>${inlineHtml(withoutMarks(title))}</h${marks.length}>`, next: at + 1 };
  }
  if (isRule(line)) return { html: "<hr>", next: at + 1 };
  if (isQuote(line) && depth < maxDepth) return takeQuote(lines, at, depth);
  if (bullet.test(line) && depth < maxDepth) return takeList(lines, at, depth);
  if (isTable(lines, at)) return takeTable(lines, at);
  return takeParagraph(lines, at);
}

function takeCode(lines: readonly string[], at: number): Taken {
  const [, mark = ""] = fence.exec(lines[at] as string) ?? [];
  let end = at + 1;
  while (end < lines.length && !(lines[end] as string).trim().startsWith(mark)) end += 1;
  const code = lines.slice(at + 1, end).join("\n");
  return { html: `<pre><code>${escapeHtml(code)}</code></pre>`, next: end + 1 };
}

function takeQuote(lines: readonly string[], at: number, depth: number): Taken {
  let end = at;
  while (end < lines.length && isQuote(lines[end] as string)) end += 1;
  const inner = lines.slice(at, end).map((line) => line.trimStart().slice(1).replace(/^ /, ""));
  return { html: `<blockquote>${blocksOf(inner, depth + 1)}</blockquote>`, next: end };
}

/** Items of one kind. Lines that are indented further belong to the item above them. */
function takeList(lines: readonly string[], at: number, depth: number): Taken {
  const first = lines[at] as string;
  const number = /^ *(\d+)/.exec(first)?.[1];
  const items: { width: number; lines: string[] }[] = [];
  let end = at;
  let isLoose = false;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as string;
    const [, mark] = bullet.exec(line) ?? [];
    const item = items.at(-1);
    if (mark !== undefined && !isRule(line) && indentOf(line) < indentOf(first) + 2) {
      if (/\d/.test(mark) !== (number !== undefined)) break;
      items.push({ width: mark.length, lines: [line.slice(mark.length)] });
    } else if (item && !isBlank(line) && indentOf(line) >= 2) item.lines.push(withoutIndent(line, item.width));
    else if (item && isBlank(line) && goesOn(lines[end + 1])) {
      isLoose ||= indentOf(lines[end + 1] as string) >= 2 && !bullet.test((lines[end + 1] as string).trimStart());
      item.lines.push("");
    } else break;
  }
  const html = items.map((item) => `<li>${itemHtml(item.lines, depth + 1, isLoose)}</li>`).join("");
  if (number === undefined) return { html: `<ul>${html}</ul>`, next: end };
  const start = Number(number) === 1 ? "" : ` start="${Number(number)}"`;
  return { html: `<ol${start}>${html}</ol>`, next: end };
}

function withoutIndent(line: string, width: number): string {
  return line.slice(line.startsWith("\t") ? 1 : Math.min(width, indentOf(line)));
}

function indentOf(line: string): number {
  return line.startsWith("\t") ? 4 : line.length - line.trimStart().length;
}

/** Whether a list may go on behind a blank line. */
function goesOn(line: string | undefined): boolean {
  return line !== undefined && (bullet.test(line) || /^(?: {2}|\t)\s*\S/.test(line));
}

/** The first lines of an item are its text; a paragraph of their own only where the item has several. */
function itemHtml(lines: readonly string[], depth: number, isLoose: boolean): string {
  const html = blocksOf(lines, depth);
  if (isLoose || !html.startsWith("<p>")) return html;
  const end = html.indexOf("</p>");
  return html.slice(3, end) + html.slice(end + 4);
}

function isTable(lines: readonly string[], at: number): boolean {
  const under = lines[at + 1] ?? "";
  return (lines[at] as string).includes("|") && under.includes("-") && under.includes("|") && /^[\s|:-]+$/.test(under);
}

function takeTable(lines: readonly string[], at: number): Taken {
  let end = at + 2;
  while (end < lines.length && (lines[end] as string).includes("|")) end += 1;
  const row = (line: string, tag: string) =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`)
      .join("")}</tr>`;
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  const html = `<table><thead>${row(lines[at] as string, "th")}</thead><tbody>${body.join("")}</tbody></table>`;
  return { html, next: end };
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "");
  const cells = inner.split(/(?<!\\)\|/);
  if (cells.length > 1 && isBlank(cells.at(-1))) cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function takeParagraph(lines: readonly string[], at: number): Taken {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && !startsBlock(lines, end)) end += 1;
  const text = lines.slice(at, end).map((line) => line.trim());
  return { html: `<p>${inlineHtml(text.join("\n"))}</p>`, next: end };
}

function startsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  return fence.test(line) || heading.test(line) || isRule(line) || isQuote(line) || bullet.test(line);
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function isQuote(line: string): boolean {
  return line.trimStart().startsWith(">");
}

function isRule(line: string): boolean {
  const marks = line.replace(/\s/g, "");
  return marks.length >= 3 && "-*_".includes(marks[0] as string) && marks === (marks[0] as string).repeat(marks.length);
}

/** `# Title #` is a way to write a heading too. */
function withoutMarks(title: string): string {
  const text = title.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end < text.length && text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}
