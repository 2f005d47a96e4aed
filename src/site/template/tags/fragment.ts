// `{% fragment "key", vary: x %}`: a part of the page that is kept on its own, and shared by pages.

import type { Template } from "liquidjs";
import { type Arguments, registerTag, type SiteTag } from "#site/template/define.ts";
import { renderFragment } from "#site/template/fragments.ts";
import { textOf } from "#site/template/html-value.ts";

interface Fragment {
  args: Arguments;
  body: Template[];
  /** Two fragments with one key are two. */
  place: string;
}

const fragmentTag: SiteTag<Fragment> = {
  parse(source) {
    const { token } = source;
    const args = source.readArguments(["vary"]);
    if (args.values.length !== 1) throw new Error('A fragment has one key: {% fragment "menu" %}');
    return { args, body: source.readBody("endfragment"), place: `${token.file ?? ""} ${token.begin}` };
  },
  *render({ args, body, place }, run) {
    const { rendering } = run;
    const { values, named } = yield* run.arguments(args);
    const { vary } = named;
    const varied = Array.isArray(vary) ? vary.map(textOf) : textOf(vary);
    const { locale } = rendering.request;
    const key = JSON.stringify([place, textOf(values[0]), varied, locale, rendering.isMarkup, rendering.inCode > 0]);
    run.print(yield* renderFragment(rendering, { key, body, outer: run.context }));
  },
};

registerTag("fragment", fragmentTag);
