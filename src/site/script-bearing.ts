// Whether a template can bring a script into the browsers of its readers. In doubt it can: a template is taken for plain only when
// each of its tags stands in the text as a whole, and is none that runs code or holds another page. Values that a template
// prints are no way around that: the engine escapes them, and cleans what is printed raw.

/** They run or load code, or hold a page of their own. */
const activeNames = new Set(["applet", "base", "embed", "frame", "frameset", "iframe", "object", "portal", "script"]);
/** Their text is code, whatever is in it. */
const codeEnding = /\.(?:[cm]?js|wasm)$/;
/** A script of the template itself; and text that Liquid does not look at, or prints as it is. */
const tellingTags = /\{%-?\s*(?:liquid\b[\s\S]*?\b)?(?:script|raw|cycle)\b/;
/** Of an address, or of an attribute. */
const code = /javascript\s*:|\bsrcdoc\b|[\s"'/]on[a-z]+\s*=/i;

/** Of Liquid with a sign of trimming, the white space beside it is gone in what is printed. */
const liquid = /(?:\s*\{\{-|\{\{)[\s\S]*?(?:-\}\}\s*|\}\})|(?:\s*\{%-|\{%)[\s\S]*?(?:-%\}\s*|%\})/g;
const printed = "\u0001";
const branch = "\u0002";
const ended = "\u0003";

/** A tag begins with its name. Behind some signs it does not begin at all. */
const opening = /<(?![\s=\d&;,)])([a-z][a-z0-9-]*)?/gi;
/** What may follow a name: the end of it, or conditions that begin with white space, each of them complete. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they stand for the tags of Liquid.
const afterName = /^(?:(?:\u0002\s[^<>\u0002\u0003]*)+\u0003)*[\s/>]/;
const nameless = /^<(?:\/[a-z][a-z0-9-]*\s*>|!--|!doctype\s|\?xml\s)/i;

export function bringsScript(id: string, text: string): boolean {
  if (codeEnding.test(id) || tellingTags.test(text) || code.test(text)) return true;
  let hasMarkup = false;
  const plain = text.replace(liquid, (found) => {
    hasMarkup ||= /<[^\s=]/.test(found);
    return markOf(found.trim());
  });
  return hasMarkup || [...plain.matchAll(opening)].some(({ 1: name, index }) => !isPlain(name, plain.slice(index)));
}

function markOf(found: string): string {
  const [, tag = ""] = /^\{%-?\s*(\w*)/.exec(found) ?? [];
  if (tag === "endif" || tag === "endunless") return ended;
  return ["if", "unless", "elsif", "else"].includes(tag) ? branch : printed;
}

/** `text`: from its sign on. */
function isPlain(name: string | undefined, text: string): boolean {
  if (name === undefined) return nameless.test(text);
  return !activeNames.has(name.toLowerCase()) && afterName.test(text.slice(1 + name.length));
}
