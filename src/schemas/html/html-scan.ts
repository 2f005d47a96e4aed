// Recognises HTML that the cleaner would leave unchanged, in one pass without a parser: most of what editors send.
// It recognises less than the cleaner on purpose. Everything else is cleaned; the scan never changes anything.

const voidTags = new Set(["br", "hr", "img"]);
const maxDepth = 50;
/** Longer ones are left to the cleaner. */
const maxTagLength = 10_000;

const plainTags =
  "p h1 h2 h3 h4 h5 h6 strong em b i u s ul ol li blockquote pre code figure figcaption table thead tbody tr td th span div br hr sub sup del ins small mark";
const attributesOf = new Map<string, Set<string>>(plainTags.split(" ").map((tag) => [tag, new Set()]));
attributesOf.set("a", new Set(["href", "target", "rel"]));
attributesOf.set("img", new Set(["src", "alt", "width", "height", "loading"]));
const everywhere = new Set(["class", "id", "title", "lang", "dir"]);

/** The text between `<` and `>`. */
const tagForm = /^([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)( ?\/)?$/;
const attributes = / ([a-z]+)="([^"]*)"/g;
const plainValue = /^(?:[^&\\\p{Cc}]|&amp;)*$/u;
const inertAddress = /^(?:https?:\/\/[\w.-]|mailto:|tel:|\/(?!\/)|#|\?)[^\s'`]*$/;
/** Entities count as text only when they are well formed. */
const oddEntity = /&(?!(?:[a-z]{2,8}|#\d{2,6});)/i;

export function isCleanHtml(html: string): boolean {
  const hasEntities = html.includes("&");
  const open: string[] = [];
  let at = 0;
  for (;;) {
    const mark = html.indexOf("<", at);
    const end = html.indexOf(">", at);
    if (hasEntities && oddEntity.test(html.slice(at, mark < 0 ? undefined : mark))) return false;
    if (mark < 0) return end < 0 && open.length === 0;
    if (end < mark || !isCleanTag(html.slice(mark + 1, end), open)) return false;
    at = end + 1;
  }
}

/** Most tags are only a name: one lookup. */
function isCleanTag(tag: string, open: string[]): boolean {
  if (tag.startsWith("/")) return open.pop() === tag.slice(1);
  if (attributesOf.has(tag)) return voidTags.has(tag) || open.push(tag) <= maxDepth;
  if (tag.length > maxTagLength) return false;
  const [, name = "", sent = "", selfClosing] = tagForm.exec(tag) ?? [];
  const allowed = attributesOf.get(name);
  if (!allowed) return false;
  if (!voidTags.has(name) && (selfClosing || open.push(name) > maxDepth)) return false;
  return hasCleanAttributes(sent, allowed);
}

function hasCleanAttributes(sent: string, allowed: Set<string>): boolean {
  const seen = new Set<string>();
  for (const [, attribute = "", value = ""] of sent.matchAll(attributes)) {
    if (seen.has(attribute) || !plainValue.test(value)) return false;
    if (!everywhere.has(attribute) && !allowed.has(attribute)) return false;
    if ((attribute === "href" || attribute === "src") && !inertAddress.test(value)) return false;
    seen.add(attribute);
  }
  return true;
}
