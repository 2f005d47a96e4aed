// Tags of the language that are written again for pages: what they print follows the rules for values.

import type { Template, Value } from "liquidjs";
import { registerTag, type SiteTag } from "#site/template/define.ts";
import { markup } from "#site/template/html-value.ts";

/** What was captured has been escaped where it was printed: it is markup. */
const captureTag: SiteTag<{ name: string; body: Template[] }> = {
  parse(source) {
    const quoted = source.tokenizer.readQuoted();
    const name = quoted ? quoted.content : source.readName();
    return { name, body: source.readBody("endcapture") };
  },
  *render({ name, body }, run) {
    const text = yield* run.bodyText(body);
    run.assign(name, run.rendering.isMarkup ? markup(text) : text);
  },
};

/** `{% echo x | filter %}` is `{{ x | filter }}`. */
const echoTag: SiteTag<Value> = {
  parse: (source) => source.readFiltered(),
  *render(value, run) {
    run.printValue(yield value.value(run.context, false));
  },
};

registerTag("capture", captureTag);
registerTag("echo", echoTag);
