// Scopes in words.

import type { Scope } from "@contract/scopes.ts";
import { Badge } from "#ui/Badge.tsx";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import styles from "./oauth.module.css";

export function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
  const words = useWords(oauthWords);
  return (
    <ul className={styles.scopes} aria-label={words.scopes}>
      {scopes.map((scope) => (
        <li key={scope} title={scope}>
          <Badge tone={scope === "cms:admin" ? "warn" : "neutral"}>{words.scopeWords[scope]}</Badge>
        </li>
      ))}
    </ul>
  );
}
