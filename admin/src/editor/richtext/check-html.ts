// Mistakes in HTML that was written by hand: elements without an end, ends without an element, tags that are not finished. Pure.

export interface HtmlMistake {
  kind: "open" | "end" | "tag";
  /** Name of the element. */
  name: string;
  line: number;
}

const empty = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Their end may be left out. */
const endsByItself = new Set("p li dt dd tr td th thead tbody tfoot option".split(" "));
const most = 3;

/** The first ones, in the order of the text. */
export function htmlMistakes(html: string): HtmlMistake[] {
  const open: HtmlMistake[] = [];
  const found: HtmlMistake[] = [];
  const tags = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)(>?)/gi;
  for (const { 0: whole, 1: slash, 2: given, 3: rest = "", 4: close, index } of html.matchAll(tags)) {
    if (given === undefined) continue;
    const name = given.toLowerCase();
    const line = html.slice(0, index).split("\n").length;
    if (close === "") found.push({ kind: "tag", name, line });
    else if (slash === "/") {
      const at = open.findLastIndex((one) => one.name === name);
      if (at < 0) found.push({ kind: "end", name, line });
      else
        found.push(
          ...open
            .splice(at)
            .slice(1)
            .filter((one) => !endsByItself.has(one.name)),
        );
    } else if (!empty.has(name) && !rest.trimEnd().endsWith("/") && whole !== "")
      open.push({ kind: "open", name, line });
  }
  found.push(...open.filter(({ name }) => !endsByItself.has(name)));
  return found.sort((a, b) => a.line - b.line).slice(0, most);
}
