// Why there is nothing to see, or nothing works: the edition, or the switch of the OAuth server.

import { useStart } from "#session/start.ts";
import { Notice } from "#ui/Notice.tsx";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";

export function StateLine() {
  const words = useWords(oauthWords);
  const { site } = useStart();
  if (site.edition !== "pro") return <Notice tone="info">{words.edition(site.edition)}</Notice>;
  if (!site.oauth) return <Notice tone="warn">{words.switchedOff}</Notice>;
  return null;
}
