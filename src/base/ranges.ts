// The Range header of RFC 9110, section 14: one range of bytes, or the whole file.
// Several ranges in one header get the whole file, so that no request multiplies bytes.

export interface Range {
  /** Both inclusive. */
  start: number;
  end: number;
}

/** `none`: answer with the whole file. `unsatisfiable`: 416. */
export function parseRange(header: string | undefined, size: number): Range | "none" | "unsatisfiable" {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "none";
  if (first === "") {
    const length = Number(last);
    if (length === 0) return "unsatisfiable";
    // A range of an empty file cannot be expressed.
    return size === 0 ? "none" : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "none";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
