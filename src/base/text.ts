// Normalizes text for comparison: for filters (case), for the full-text index (words); and escapes it for HTML.

/** Letters without an accent to remove, and the plain ones they are searched by. */
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

/** Also the points of Hebrew and the vowel signs of Arabic, which are mostly left out, and invisible characters for line ends. */
const accents =
  /(?:[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u00ad\u200c\u2060]|\u200d)+/g;
const specialLetters = /[ßæœøłđðþı]/g;
const betweenWords = /[^\p{L}\p{N}\p{Co}]+/gu;
/** Scripts without spaces: each character is a word, so that any part of a text can be found. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}][\p{M}\p{Co}]*/gu;
const marks = /\p{M}/gu;

/** Both small letters of the Greek sigma are one: the lower case of a capital would depend on the next letter. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

/** By a character of the folded form: the characters beyond ASCII that folding changes. */
let foldedFrom: Map<string, string[]> | undefined;
/** The blocks with cased characters; between them are those of other scripts. */
const casedBlocks = [
  [0x80, 0x2fff],
  [0xa640, 0xabff],
  [0xff00, 0xffef],
  [0x1_0400, 0x1_11ff],
  [0x1_1800, 0x1_1fff],
  [0x1_6000, 0x1_6fff],
  [0x1_e900, 0x1_e9ff],
] as const;

function foldedLetters(): Map<string, string[]> {
  const letters = new Map<string, string[]>();
  for (const [first, last] of casedBlocks) {
    const block = String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));
    for (const [letter] of block.matchAll(/\p{Changes_When_Lowercased}|ς/gu)) {
      for (const part of foldCase(letter)) letters.set(part, [...(letters.get(part) ?? []), letter]);
    }
  }
  return letters;
}

/**
 * The characters beyond ASCII that `foldCase` would turn into a letter of these folded texts. Where only these and the
 * capitals of ASCII are folded, comparing, containing, starting and ending give the same result as when all of a text is.
 */
export function lettersToFold(texts: readonly string[]): string[] {
  foldedFrom ??= foldedLetters();
  const letters = new Set<string>();
  for (const letter of new Set(texts.join(""))) for (const other of foldedFrom.get(letter) ?? []) letters.add(other);
  return [...letters];
}

/** Words of letters and digits in lower case without accents, with single spaces between them. */
export function foldWords(text: string): string {
  return foldAscii(text) ?? foldUnicode(text);
}

/** Characters that are folded at a time. */
const pieceLength = 20_000;

/** The first words of a text, up to a limit. It is read in pieces, so that the rest costs nothing. */
export function firstWords(text: string, most: number): string {
  if (text.length <= pieceLength) return cutWords(foldWords(text), most);
  let words = "";
  let left = most;
  for (let start = 0; start < text.length && left > 0; ) {
    const end = endOfPiece(text, start);
    const piece = cutWords(foldWords(text.slice(start, end)), left);
    if (piece !== "") words += words === "" ? piece : ` ${piece}`;
    left -= countWords(piece);
    start = end;
  }
  return words;
}

export function countWords(words: string): number {
  if (words === "") return 0;
  let count = 1;
  for (let at = words.indexOf(" "); at >= 0; at = words.indexOf(" ", at + 1)) count++;
  return count;
}

/** Between two words, if there are any. */
function endOfPiece(text: string, start: number): number {
  const end = start + pieceLength;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  return space > start ? space : end;
}

function cutWords(words: string, most: number): string {
  if (most <= 0) return "";
  let at = -1;
  for (let count = 0; count < most; count++) {
    at = words.indexOf(" ", at + 1);
    if (at < 0) return words;
  }
  return words.slice(0, at);
}

/** Byte -> its lower-case letter or digit, 0 between words. */
const asciiWords = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});
const scratch = Buffer.alloc(65_536);

/** The same rule for the most common text, in one pass. undefined: it has other letters, or is very long. */
function foldAscii(text: string): string | undefined {
  if (text.length > scratch.length) return undefined;
  let length = 0;
  let isBetween = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127 && !isPunctuation(code)) return undefined;
    const letter = code > 127 ? 0 : (asciiWords[code] as number);
    if (letter === 0) isBetween = true;
    else {
      if (isBetween && length > 0) scratch[length++] = 32;
      isBetween = false;
      scratch[length++] = letter;
    }
  }
  return scratch.toString("latin1", 0, length);
}

/** The Unicode block of typographic quotes, dashes and spaces. */
function isPunctuation(code: number): boolean {
  return code >= 0x2000 && code <= 0x206f;
}

function foldUnicode(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(specialLetters, (letter) => plainLetters[letter] as string)
    .normalize("NFKD")
    .replace(accents, "")
    // Decomposing signs like № yields capitals.
    .toLowerCase();
  return foldAscii(plain) ?? splitWords(plain.normalize("NFC"));
}

function splitWords(text: string): string {
  return text
    .replaceAll("ς", "σ")
    .replace(spaceless, " $& ")
    .replace(marks, letterFor)
    .replace(betweenWords, " ")
    .trim();
}

/** A sign that belongs to the letter before it. Full-text indexes end words at marks, and never at characters of private use. */
function letterFor(mark: string): string {
  const code = mark.codePointAt(0) as number;
  return code < 0xfffe ? String.fromCodePoint(0xf0000 + code) : "";
}

const htmlEntities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEntities[character] as string);
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Tags that do not split a word, as in H<sub>2</sub>O. */
const withinWords =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|s|samp|small|span|strong|sub|sup|time|u|var|wbr)(?:\s[^<>]*)?>/gi;

/** The visible text of HTML: no tags, entities resolved. For searching, not for display. */
export function htmlToText(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html;
  return html
    .replace(withinWords, "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
      if (name) return namedEntities[name.toLowerCase()] ?? entity;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : " ";
    });
}

const namedEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * A 64-bit hash of the text, a hundred times faster than a digest of so few letters.
 * Only for detecting changes: collisions can be constructed.
 */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high + code, 0x85ebca6b) ^ (high >>> 13);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
}
