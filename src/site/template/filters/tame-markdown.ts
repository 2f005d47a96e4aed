// Texts that would take the Markdown parser long are shown as they were written: its time grows with the square of the marks
// of emphasis in one paragraph, and with the depth of quotes and lists. Pure.

/** Pairs of marks in one paragraph, summed over all of them: a few hundredths of a second. */
const maxPairs = 250_000;
const maxDepth = 30;

const marks = /[*_~]/g;
const deep = new RegExp(`^(?:[ \\t]*(?:>|[-*+][ \\t]|\\d{1,9}[.)][ \\t])){${maxDepth},}`);

export function tameMarkdown(text: string): string {
  let pairs = 0;
  const paragraphs = text.split(/(\n[ \t]*\n)/).map((paragraph) => {
    const count = countMarks(paragraph);
    const isTooMany = pairs + count * count > maxPairs;
    if (!isTooMany) pairs += count * count;
    return isTooMany ? paragraph.replace(marks, "\\$&") : paragraph;
  });
  return paragraphs.join("").split("\n").map(flat).join("\n");
}

function countMarks(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(marks)) count += 1;
  return count;
}

/** A line that opens too many quotes or lists opens none. */
function flat(line: string): string {
  return deep.test(line) ? line.replace(/(?=[>*+.)-])/g, "\\") : line;
}
