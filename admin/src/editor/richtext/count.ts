// Words and characters of a document; a block is counted once.

import type { Node } from "@tiptap/pm/model";

export interface TextCount {
  words: number;
  characters: number;
}

const counted = new WeakMap<Node, TextCount>();

export function countText(doc: Node): TextCount {
  const sum = { words: 0, characters: 0 };
  doc.forEach((block) => {
    const { words, characters } = countBlock(block);
    sum.words += words;
    sum.characters += characters;
  });
  return sum;
}

function countBlock(block: Node): TextCount {
  const known = counted.get(block);
  if (known) return known;
  const text = block.textBetween(0, block.content.size, "\n", " ");
  const found = { words: countWords(text), characters: [...text.replaceAll("\n", "")].length };
  counted.set(block, found);
  return found;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** Languages that put no blanks between words. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/;

export function countWords(text: string): number {
  if (!unspaced.test(text)) return text.match(/[^\s\p{P}\p{S}]\S*/gu)?.length ?? 0;
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
