// A rich text to be read: headings, lists, tables and links as such. It is read by an inert parser and drawn element by element
// from a list of harmless ones: no HTML is put into the page, nothing in it runs or loads.

import { createElement, type ReactNode } from "react";
import { useWords } from "#words/language.ts";
import { richtextWords } from "#words/richtext.ts";
import { type FieldReadProps, plainText } from "./field-kind.ts";
import css from "./StyledTextRead.module.css";

/** Drawn as they are, without their attributes. Anything else shows what is in it. */
const harmless = new Set(
  (
    "p ul ol li blockquote pre code strong b em i u s del ins sub sup mark small br hr " +
    "table thead tbody tfoot tr th td caption figure figcaption dl dt dd"
  ).split(" "),
);
/** What is in them is no text. */
const silent = new Set("script style template noscript title head link meta iframe object embed svg math".split(" "));

export function StyledTextRead({ value }: FieldReadProps) {
  const words = useWords(richtextWords);
  const { body } = new DOMParser().parseFromString(plainText(value), "text/html");
  return <div className={css.read}>{drawAll(body, words.pictureOf)}</div>;
}

type Named = (alt: string) => string;

function drawAll(parent: Node, picture: Named): ReactNode[] {
  return [...parent.childNodes].map((node, at) => draw(node, at, picture));
}

function draw(node: Node, key: number, picture: Named): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (silent.has(name)) return null;
  if (name === "img")
    return (
      <span key={key} className={css.picture}>
        {picture(node.getAttribute("alt") ?? "")}
      </span>
    );
  const inside = drawAll(node, picture);
  if (name === "a") return link(node, key, inside);
  // The page has headings of its own: those of the text are beneath the label of the field.
  if (/^h[1-6]$/.test(name))
    return createElement("p", { key, className: css.heading, "data-level": name[1] }, ...inside);
  if (!harmless.has(name)) return <span key={key}>{inside}</span>;
  return name === "br" || name === "hr" ? createElement(name, { key }) : createElement(name, { key }, ...inside);
}

function link(node: Element, key: number, inside: ReactNode[]): ReactNode {
  const href = node.getAttribute("href") ?? "";
  const isSafe = /^(?:https?:|mailto:|tel:|\/|#)/i.test(href.trim());
  if (!isSafe) return <span key={key}>{inside}</span>;
  return (
    <a key={key} href={href} target="_blank" rel="noreferrer">
      {inside}
    </a>
  );
}
