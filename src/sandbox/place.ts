// The place of an error in a handler. The engine notes places of calls and throws only: an error at a read of a property or of a
// name has the place of the call before it, or the beginning of the function. What is read is in the message, so it is looked for
// from there on. Pure.

const noted = / \(handler\.js:(\d+):(\d+)\)$/;
const property = /^TypeError: cannot (?:read|set) property '([^']+)' of (?:undefined|null)/;
const name = /^ReferenceError: (?:'?)([\w$]+)(?:'?) is not (?:defined|initialized)/;

export function placedAt(message: string, source: string): string {
  const found = noted.exec(message);
  const [, read] = property.exec(message) ?? [];
  const [, named] = name.exec(message) ?? [];
  if (!found || (read === undefined && named === undefined)) return message;
  const lines = source.split("\n");
  const [line, column] = [Number(found[1]), Number(found[2])];
  const wanted = new RegExp(
    read === undefined
      ? `(?<![\\w$.])${escaped(named)}(?![\\w$])`
      : `(?:\\.\\s*|\\[\\s*["'\`])${escaped(read)}(?![\\w$])`,
  );
  for (let at = line; at <= lines.length; at++) {
    const text = lines[at - 1] ?? "";
    const from = at === line ? column - 1 : 0;
    const start = text.slice(from).search(wanted);
    if (start < 0) continue;
    const place = text.slice(from + start).search(/[\w$]/);
    return message.replace(noted, ` (handler.js:${at}:${from + start + Math.max(0, place) + 1})`);
  }
  return message;
}

function escaped(text: string | undefined): string {
  return (text ?? "").replace(/[^\w]/g, "\\$&");
}
