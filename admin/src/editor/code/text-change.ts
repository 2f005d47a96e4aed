// The smallest piece by which two texts differ, so that cursor and folds around it stay. Pure.

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Texts from other systems end their lines with CR and LF; they keep that. undefined: every kind of break is one. */
export function lineBreakOf(text: string): string | undefined {
  if (!text.includes("\r")) return undefined;
  // Mixed ones stay as they are: the editor shows a CR as a sign.
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? "\n" : "\r\n";
}
