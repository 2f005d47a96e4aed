// SVG text as the address of a picture. Pure.

/** Whether there is a drawing in the text; the server takes what it finds between `<svg` and `</svg>`. */
export function hasDrawing(text: string): boolean {
  return /<svg[\s>/]/i.test(text);
}

/** Pictures need the name of the language, which drawings inside of pages may lack. */
export function drawingAddress(text: string): string {
  const drawing = text.slice(Math.max(0, text.search(/<svg[\s>/]/i)));
  const [start = ""] = /^<svg[^>]*/i.exec(drawing) ?? [];
  const named = /\sxmlns\s*=/.test(start)
    ? drawing
    : drawing.replace(/^<svg/i, '<svg xmlns="http://www.w3.org/2000/svg"');
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(named)}`;
}
