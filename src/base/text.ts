// Text made comparable: for filters (case), for the full-text index (words), and made safe for HTML.

/** Letters that have no accent to take off, and the plain ones they are searched by. */
const plainLetters: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

const beyondAscii = /[^\0-\x7f]/;
const accents = /[\u0300-\u036f]+/g;
const specialLetters = /[ßæœøłđðþı]/g;
const betweenWords = /[^\p{L}\p{N}\p{M}]+/gu;
/** Written without spaces: each character is a word, so that any part of a text can be found. */
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Words of letters and digits in lower case without accents, with single spaces between them. */
export function foldWords(text: string): string {
  const lower = text.toLowerCase();
  // In ASCII text the simple rule is the whole rule; it is many times faster.
  if (!beyondAscii.test(lower)) return lower.replace(/[^a-z0-9]+/g, " ").trim();
  return lower
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    .replace(cjk, " $& ")
    .replace(betweenWords, " ")
    .trim();
}

const htmlEntities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEntities[character] as string);
}

/** What a reader sees of HTML: no tags, entities resolved. For searching, not for showing. */
export function htmlToText(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html;
  return html
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
      if (name) return namedEntities[name.toLowerCase()] ?? entity;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : " ";
    });
}

const namedEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
