// Which elements the editor knows, and what kind each is. Pure.

/** Elements without an end tag. */
export const voidTags = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** What stands in them is text, whatever it looks like. */
export const textTags = new Set("script style textarea title xmp iframe noembed noframes".split(" "));

/** They end a paragraph and begin a block of their own. All others are part of a line of text. */
export const blockTags = new Set(
  (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul tbody thead tfoot tr td th caption " +
    "colgroup col"
  ).split(" "),
);

/** Hold blocks, or a line of text. */
export const frameTags = new Set(
  "div section article aside header footer main nav address figure figcaption dl dt dd details summary center hgroup".split(
    " ",
  ),
);

/** Around words; each is kept with its tag and its attributes. */
export const wordTags = new Set(
  (
    "a b strong i em u s strike del code span font sub sup small big abbr cite q kbd samp var mark ins time dfn bdi bdo tt " +
    "label data acronym"
  ).split(" "),
);

/** Marks with a name of their own, by tag. The other words are marks of the name `inline`. */
export const namedMarks: Readonly<Record<string, string>> = {
  strong: "bold",
  b: "bold",
  em: "italic",
  i: "italic",
  u: "underline",
  s: "strike",
  strike: "strike",
  del: "strike",
  code: "code",
  a: "link",
};
