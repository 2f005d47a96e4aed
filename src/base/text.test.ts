import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "./patience.fixture.ts";
import { countWords, escapeHtml, firstWords, foldCase, foldWords, htmlToText, lettersToFold } from "./text.ts";

/** Marks are kept as characters of private use. */
const kept = (mark: string) => String.fromCodePoint(0xf0000 + (mark.codePointAt(0) as number));

const words: [string, string][] = [
  ["Hello, World!", "hello world"],
  ["  don't   stop ", "don t stop"],
  ["Café Zürich", "cafe zurich"],
  ["Straße Ærø Łódź", "strasse aero lodz"],
  ["東京タワー", "東 京 タ ワ ー"],
  ["한국어", "한 국 어"],
  ["がぎ", "が ぎ"],
  ["สวัสดี", `ส วั ส ดี`.replace(/\p{M}/gu, kept)],
  ["हिन्दी पाठ", "हिन्दी पाठ".replace(/\p{M}/gu, kept)],
  ["شَمْس שָׁלוֹם", "شمس שלום"],
  ["ΑΘΉΝΑ", "αθηνα"],
  ["ΟΔΟΣ οδοσ", "οδοσ οδοσ"],
  ["co\u00adoperate", "cooperate"],
  ["İstanbul", "istanbul"],
  ["a_b-c.d", "a b c d"],
  ["!!!", ""],
  ["“Ça va” – dit-il…", "ca va dit il"],
  ["№ 5 ℃ ½", "no 5 c 1 2"],
  ["ﬁne", "fine"],
  ["naïve\u0000'x'\\", "naive x"],
];

for (const [text, expected] of words) {
  test(`FLD-60 the search words of ${JSON.stringify(text)} are ${JSON.stringify(expected)}`, () => {
    assert.equal(foldWords(text), expected);
    assert.equal(foldWords(expected), expected);
  });
}

test("FLD-61 filters compare in lower case, accents kept", () => {
  assert.equal(foldCase("Größe"), "größe");
  assert.equal(foldCase("ΟΔΟΣ οδός"), "οδοσ οδόσ");
});

test("FLD-61 every folded character is known by its folded form", () => {
  const unknown: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code += code === 0xd7ff ? 0x801 : 1) {
    const letter = String.fromCodePoint(code);
    const folded = foldCase(letter);
    if (folded === letter) continue;
    for (const part of folded) if (!lettersToFold([part]).includes(letter)) unknown.push(letter);
  }
  assert.deepEqual(unknown, []);
  assert.deepEqual(lettersToFold(["zz0"]), []);
});

test("FLD-60 HTML is searched by its visible text", () => {
  assert.equal(foldWords(htmlToText("<p>One<br>two &amp; <b>thr&#101;e</b>&nbsp;&copy;</p>")), "one two three copy");
  assert.equal(foldWords(htmlToText("<p>H<sub>2</sub>O</p><p><b>W</b>ord <span class=x>a</span>b</p>")), "h2o word ab");
  assert.equal(foldWords(htmlToText("<ul><li>one</li><li>two</li></ul><br/>three<b>")), "one two three");
});

test("FLD-60 escaped HTML holds no markup", () => {
  assert.equal(escapeHtml(`<a href="x">'&'</a>`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
});

test("FLD-60 long ASCII text is folded quickly", async () => {
  const text = "The quick brown Fox, jumps! ".repeat(40_000);
  assert.ok((await leastTime(500, () => foldWords(text))) < 500);
});

test("BOUND-4 the first words of a text are those of the whole", () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `Wörd${at},`).join(" ");
  const all = foldWords(text).split(" ");
  for (const most of [1, 7, 499, 4_999, 5_000, 5_001])
    assert.deepEqual(firstWords(text, most).split(" "), all.slice(0, most), String(most));
  assert.equal(firstWords("漢".repeat(50), 20), foldWords("漢".repeat(20)));
  assert.deepEqual([firstWords("", 5), firstWords("a b", 0), countWords(""), countWords("a b c")], ["", "", 0, 3]);
});
