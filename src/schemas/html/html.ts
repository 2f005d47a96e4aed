// Cleans HTML and SVG with a real parser, when they are written. Allowed elements are listed; everything else is removed.
// Text in which a browser would see no tag is not changed.

import type sanitize from "sanitize-html";
import { createLru } from "#base/caches/lru.ts";
import { lazily } from "#base/lazy.ts";
import { isCleanHtml } from "./html-scan.ts";

/** The settings `htmlclean.*`. */
export interface HtmlRules {
  enabled: boolean;
  allowedIframeDomains: string[];
  allowedCssProperties: string[];
  allowedTags: string[];
}

/** Tags below this depth are removed, their text stays. */
const maxNesting = 100;

const sanitizer = lazily<typeof sanitize>("sanitize-html");

/** Besides the parser's own list of harmless tags. */
const moreTags = "img picture source video audio track iframe del ins details summary".split(" ");

/** Never allowed, whatever the settings say: they run, load, submit, or confuse parsers. */
const forbiddenTags = new Set(
  (
    "script style object embed applet form input button select option textarea link meta base frame frameset svg math " +
    "template noscript noembed noframes plaintext xmp title portal"
  ).split(" "),
);

const allowedAttributes: Record<string, string[]> = {
  "*": ["class", "id", "title", "lang", "dir", "role", "align", "aria-*", "data-*"],
  a: ["href", "name", "target", "rel", "download", "hreflang"],
  img: ["src", "srcset", "sizes", "alt", "width", "height", "loading", "decoding"],
  source: ["src", "srcset", "sizes", "type", "media", "width", "height"],
  video: "src poster controls width height preload loop muted playsinline autoplay".split(" "),
  audio: ["src", "controls", "preload", "loop", "muted"],
  track: ["src", "kind", "srclang", "label", "default"],
  iframe: "src width height allow allowfullscreen frameborder loading referrerpolicy".split(" "),
  td: ["colspan", "rowspan", "headers", "width", "height"],
  th: ["colspan", "rowspan", "headers", "scope", "width", "height"],
  col: ["span", "width"],
  colgroup: ["span"],
  ol: ["start", "reversed", "type"],
  li: ["value"],
  time: ["datetime"],
  blockquote: ["cite"],
  q: ["cite"],
  del: ["cite", "datetime"],
  ins: ["cite", "datetime"],
  details: ["open"],
};

const cleaners = createLru<sanitize.IOptions>(16);

/** A browser starts a tag, a comment or a declaration only at these. */
export function hasTags(text: string): boolean {
  return /<[a-z/!?]/i.test(text);
}

/** Without the parser; false only means that the parser must decide. */
export function isKnownClean(html: string, rules: HtmlRules): boolean {
  return rules.allowedTags.length === 0 && isCleanHtml(html);
}

export function cleanHtml(html: string, rules: HtmlRules): string {
  const key = JSON.stringify(rules);
  let options = cleaners.get(key);
  if (!options) {
    options = cleanerFor(rules);
    cleaners.set(key, options);
  }
  return sanitizer()(html, options);
}

function cleanerFor(rules: HtmlRules): sanitize.IOptions {
  const tags = rules.allowedTags.length > 0 ? rules.allowedTags : [...sanitizer().defaults.allowedTags, ...moreTags];
  const hasStyles = rules.allowedCssProperties.length > 0;
  const everywhere = allowedAttributes["*"] ?? [];
  return {
    allowedTags: tags.filter((tag) => !forbiddenTags.has(tag.toLowerCase())),
    allowedAttributes: { ...allowedAttributes, "*": hasStyles ? [...everywhere, "style"] : everywhere },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https", "data"] },
    allowedSchemesAppliedToAttributes: ["href", "src", "cite", "poster"],
    allowedIframeHostnames: rules.allowedIframeDomains,
    allowIframeRelativeUrls: false,
    allowedStyles: hasStyles ? { "*": stylesFor(rules.allowedCssProperties) } : {},
    transformTags: { img: dropOddData, "*": dropHiddenMarkup },
    exclusiveFilter: (frame) => frame.tag === "iframe" && !frame.attribs.src,
    enforceHtmlBoundary: false,
    nestingLimit: maxNesting,
  };
}

/** Values that neither load nor run anything. */
function stylesFor(properties: string[]): Record<string, RegExp[]> {
  const harmless = /^(?!.*(?:url|expression|image|javascript|behavior|binding)\s*\()[^\\<>;{}@]*$/i;
  return Object.fromEntries(properties.map((property) => [property, [harmless]]));
}

/** Images may be inline; other data: addresses may not. */
function dropOddData(tagName: string, sent: sanitize.Attributes): sanitize.Tag {
  const attribs = { ...sent };
  if (sent.src !== undefined && isData(sent.src) && !inlinePicture.test(sent.src)) delete attribs.src;
  if (sent.srcset !== undefined && isData(sent.srcset)) delete attribs.srcset;
  return { tagName, attribs };
}

const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=\s]*$/i;

/** Browsers skip white space and control characters inside a scheme. */
function isData(value: string): boolean {
  return /(?:^|,)data:/i.test(value.replace(/[\0-\x20]/g, ""));
}

/** Tags inside attributes target parsers that lose count of quotes. */
function dropHiddenMarkup(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const kept = Object.entries(attribs).filter(([, value]) => !hasTags(value));
  return { tagName, attribs: Object.fromEntries(kept) };
}

const svgTags = (
  "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath marker pattern mask " +
  "clipPath linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite " +
  "feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR " +
  "feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence " +
  "switch view"
).split(" ");

const svgOptions: sanitize.IOptions = {
  allowedTags: svgTags,
  allowedAttributes: false,
  allowedSchemes: [],
  allowVulnerableTags: true,
  nonTextTags: [
    "script",
    "style",
    "foreignObject",
    "iframe",
    "object",
    "embed",
    "textarea",
    "option",
    "noscript",
    "xmp",
  ],
  parseStyleAttributes: false,
  enforceHtmlBoundary: false,
  nestingLimit: maxNesting,
  parser: { xmlMode: true, decodeEntities: true },
  transformTags: { "*": keepInertAttributes },
};

/** Drops handlers, and every reference to other addresses. */
function keepInertAttributes(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const inert: sanitize.Attributes = {};
  for (const [name, value] of Object.entries(attribs)) {
    if (isInertAttribute(name.toLowerCase(), value)) inert[name] = value;
  }
  return { tagName, attribs: inert };
}

function isInertAttribute(name: string, value: string): boolean {
  if (!/^[a-z_][a-z0-9_:.-]*$/.test(name) || name.startsWith("on")) return false;
  if (name === "xmlns") return value === "http://www.w3.org/2000/svg";
  if (name.startsWith("xmlns:")) return name === "xmlns:xlink" && value === "http://www.w3.org/1999/xlink";
  if (name === "href" || name.endsWith(":href")) return /^#[\w.:-]+$/.test(value);
  if (name === "src" || name === "xml:base") return false;
  if (name === "style" && /[\\@<]|expression|behavior|binding/i.test(value)) return false;
  if (/(?:java|vb)script:|data:/i.test(value)) return false;
  return !/url\s*\(\s*["']?\s*(?!#|["'\s])/i.test(value);
}

const prolog = /^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)*/i;

/** undefined: it is not a drawing. */
export function findSvg(text: string): string | undefined {
  const svg = text.replace(prolog, "");
  return /^<svg[\s/>]/.test(svg) ? svg.trimEnd() : undefined;
}

export function cleanSvg(svg: string): string {
  return sanitizer()(svg, svgOptions);
}
