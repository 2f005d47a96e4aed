// What a browser makes of HTML, as text to compare: the same for two texts that say the same. White space that is not shown, the order
// of attributes and the order in which marks lie around words do not count. Nothing else is left out.

import { blockTags, wordTags } from "./tags.ts";

const spaces = /[ \t\n\r\f]+/g;
const blank = /^[ \t\n\r\f]*$/;

export function canonical(parent: ParentNode): string {
  const parts: string[] = [];
  let line: { text: string; marks: string }[] = [];
  const endLine = () => {
    parts.push(lineText(line));
    line = [];
  };
  for (const node of parent.childNodes) {
    if (node.nodeType === 1 && blockTags.has((node as Element).localName)) {
      endLine();
      parts.push(blockText(node as Element));
    } else addWords(node, [], line);
  }
  endLine();
  return parts.join("");
}

function blockText(element: Element): string {
  const tag = element.localName;
  if (tag === "pre") return element.outerHTML;
  return `${startOf(element)}${canonical(element)}</${tag}>`;
}

function startOf(element: Element): string {
  const attributes = [...element.attributes].map(({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
  return `<${[element.localName, ...attributes].join(" ")}>`;
}

function addWords(node: ChildNode, marks: string[], line: { text: string; marks: string }[]): void {
  const add = (text: string) => line.push({ text, marks: [...marks].sort().join("") });
  if (node.nodeType === 3) {
    add(node.nodeValue ?? "");
    return;
  }
  if (node.nodeType !== 1) {
    add(`\0${new XMLSerializer().serializeToString(node)}\0`);
    return;
  }
  const element = node as Element;
  const hasWords = !blank.test(element.textContent ?? "") || element.querySelector("img, br") !== null;
  if (
    !wordTags.has(element.localName) ||
    (!hasWords && (element.attributes.length > 0 || element.childElementCount > 0))
  ) {
    add(`\0${element.outerHTML}\0`);
    return;
  }
  for (const child of element.childNodes) addWords(child, [...marks, startOf(element)], line);
}

function lineText(line: readonly { text: string; marks: string }[]): string {
  let text = "";
  let open = "";
  let isAfterBlank = true;
  for (const part of line) {
    let own = part.text;
    if (!own.startsWith("\0")) {
      own = own.replace(spaces, " ");
      if (isAfterBlank && own.startsWith(" ")) own = own.slice(1);
      if (own === "") continue;
      isAfterBlank = own.endsWith(" ");
    } else isAfterBlank = own.startsWith("\0<br");
    if (part.marks !== open) text += `\u0001${part.marks}\u0001`;
    open = part.marks;
    text += own;
  }
  return text.replace(/ $/, "");
}
