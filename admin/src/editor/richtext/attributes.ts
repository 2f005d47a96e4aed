// Attributes of elements: kept whole for what is stored, and the few that the editor itself shows.

/** In their order; null: none. */
export type Kept = Readonly<Record<string, string>> | null;

export function attributesOf(element: Element): Kept {
  const all = [...element.attributes].filter(({ name }) => !ownAttributes.has(name));
  return all.length === 0 ? null : Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

/** Written into the clipboard. */
const ownAttributes = new Set(["data-pm-slice", "data-tag"]);

/** With one of them changed; undefined removes it. */
export function withAttribute(kept: Kept, name: string, value: string | undefined): Kept {
  const { [name]: _, ...others } = kept ?? {};
  const next = value === undefined ? others : { ...(kept ?? {}), [name]: value };
  return Object.keys(next).length === 0 ? null : next;
}

const shownStyles = new Set([
  "text-align",
  "color",
  "background-color",
  "font-weight",
  "font-style",
  "text-decoration",
  "text-transform",
]);
const harmless = /^[\w#%.,()\s-]+$/;
const alignments = new Set(["left", "center", "right", "justify"]);

/**
 * What the editor shows of them. Nothing stored may reach the page around it: no id, class or handler, and only styles that
 * colour and align words.
 */
export function shownAttributes(kept: Kept): Record<string, string> {
  if (!kept) return {};
  const shown: Record<string, string> = {};
  const styles = stylesOf(kept.style ?? "").filter(
    ([name, value]) => shownStyles.has(name) && harmless.test(value) && !/url|var|expression/i.test(value),
  );
  if (kept.align !== undefined && alignments.has(kept.align)) styles.push(["text-align", kept.align]);
  if (styles.length > 0) shown.style = styles.map(([name, value]) => `${name}: ${value}`).join("; ");
  if (/^(?:ltr|rtl|auto)$/.test(kept.dir ?? "")) shown.dir = kept.dir as string;
  if (/^[a-z0-9-]{2,35}$/i.test(kept.lang ?? "")) shown.lang = kept.lang as string;
  return shown;
}

export function stylesOf(style: string): [name: string, value: string][] {
  return [...style.matchAll(/([\w-]+)\s*:\s*((?:[^;"'(]|"[^"]*"|'[^']*'|\([^)]*\))+)/g)].map(
    ([, name = "", value = ""]) => [name.toLowerCase(), value.trim()],
  );
}

/** The style attribute with one property changed; an empty value removes it. */
export function withStyle(kept: Kept, property: string, value: string): Kept {
  const others = stylesOf(kept?.style ?? "").filter(([name]) => name !== property);
  const all = value === "" ? others : [...others, [property, value]];
  return withAttribute(
    kept,
    "style",
    all.length === 0 ? undefined : all.map(([name, given]) => `${name}: ${given}`).join("; "),
  );
}

/** An address that a click may open. */
export function isSafeAddress(address: string): boolean {
  // Browsers skip white space and control characters inside a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const plain = address.replace(/[\x00-\x20]/g, "");
  return !/^[a-z][a-z0-9+.-]*:/i.test(plain) || /^(?:https?|mailto|tel):/i.test(plain);
}
