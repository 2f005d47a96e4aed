// Recognises HTML that the cleaner would leave as it is, in one pass and without a parser: most of what editors send.
// It knows less than the cleaner on purpose. Whatever it does not recognise is cleaned; it never changes anything.

const voidTags = new Set(["br", "hr", "img"]);
const maxDepth = 50;

const plainTags =
  "p h1 h2 h3 h4 h5 h6 strong em b i u s ul ol li blockquote pre code figure figcaption table thead tbody tr td th span div br hr sub sup del ins small mark";
const attributesOf = new Map<string, Set<string>>(plainTags.split(" ").map((tag) => [tag, new Set()]));
attributesOf.set("a", new Set(["href", "target", "rel"]));
attributesOf.set("img", new Set(["src", "alt", "width", "height", "loading"]));
const everywhere = new Set(["class", "id", "title", "lang", "dir"]);

const tagAt = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)( ?\/)?>/y;
const attributes = / ([a-z]+)="([^"]*)"/g;
const plainValue = /^(?:[^&\\\p{Cc}]|&amp;)*$/u;
const inertAddress = /^(?:https?:\/\/[\w.-]|mailto:|tel:|\/(?!\/)|#|\?)[^\s'`]*$/;
/** Text between tags: any character but marks, and entities only when they are well formed. */
const oddText = />|&(?!(?:[a-z]{2,8}|#\d{2,6});)/i;

export function isCleanHtml(html: string): boolean {
  const open: string[] = [];
  let at = 0;
  for (;;) {
    const mark = html.indexOf("<", at);
    if (oddText.test(mark < 0 ? html.slice(at) : html.slice(at, mark))) return false;
    if (mark < 0) return open.length === 0;
    tagAt.lastIndex = mark;
    const found = tagAt.exec(html);
    if (!found || !isCleanTag(found, open)) return false;
    at = tagAt.lastIndex;
  }
}

function isCleanTag([, slash, name = "", sent = "", selfClosing]: RegExpExecArray, open: string[]): boolean {
  const allowed = attributesOf.get(name);
  if (!allowed) return false;
  if (slash) return sent === "" && !selfClosing && open.pop() === name;
  if (!voidTags.has(name)) {
    if (selfClosing || open.push(name) > maxDepth) return false;
  }
  if (sent === "") return true;
  const seen = new Set<string>();
  for (const [, attribute = "", value = ""] of sent.matchAll(attributes)) {
    if (seen.has(attribute) || !plainValue.test(value)) return false;
    if (!everywhere.has(attribute) && !allowed.has(attribute)) return false;
    if ((attribute === "href" || attribute === "src") && !inertAddress.test(value)) return false;
    seen.add(attribute);
  }
  return true;
}
