// `{% fragment "key", vary: x %}`: a part of the page that has a name of its own.

import type { Template } from "liquidjs";
import { type Arguments, registerTag, type SiteTag } from "#site/template/define.ts";

const fragmentTag: SiteTag<{ args: Arguments; body: Template[] }> = {
  parse(source) {
    const args = source.readArguments(["vary"]);
    if (args.values.length !== 1) throw new Error('A fragment has one key: {% fragment "menu" %}');
    return { args, body: source.readBody("endfragment") };
  },
  *render({ args, body }, run) {
    yield* run.arguments(args);
    yield run.body(body);
  },
};

registerTag("fragment", fragmentTag);
