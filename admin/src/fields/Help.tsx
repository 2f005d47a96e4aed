// The help of a field: text with a few harmless tags. Everything else of it is text.

import { createElement, Fragment, type ReactNode } from "react";

const tags = new Set(["b", "i", "em", "strong", "code", "br"]);

export function Help({ text }: { text: string }) {
  if (!text.includes("<") && !text.includes("&")) return text;
  const { body } = new DOMParser().parseFromString(text, "text/html");
  return childrenOf(body);
}

function childrenOf(parent: Node): ReactNode {
  // As arguments, not as a list: the text never changes its order.
  return createElement(Fragment, null, ...[...parent.childNodes].map(nodeOf));
}

function nodeOf(node: Node): ReactNode {
  if (!(node instanceof Element)) return node.textContent;
  const name = node.localName;
  if (name === "script" || name === "style") return null;
  if (name === "a") return linkOf(node);
  if (!tags.has(name)) return childrenOf(node);
  if (name === "br") return <br />;
  const Tag = name as "b";
  return <Tag>{childrenOf(node)}</Tag>;
}

function linkOf(node: Element): ReactNode {
  const href = node.getAttribute("href") ?? "";
  if (!/^(https?:\/\/|mailto:|\/(?!\/))/i.test(href)) return childrenOf(node);
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {childrenOf(node)}
    </a>
  );
}
