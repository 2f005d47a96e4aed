// The last step: the way into the admin.

import { useStart } from "#session/start.ts";
import { TextLink } from "#shell/links.tsx";
import { useWords } from "#words/language.ts";
import { setupWords } from "#words/setup.ts";
import styles from "./Setup.module.css";
import { ContinueButton, SetupFrame } from "./SetupFrame.tsx";

export function ReadyPage() {
  const words = useWords(setupWords);
  const { site } = useStart();
  return (
    <SetupFrame step="ready" intro={words.readyIntro} footer={<ContinueButton to="/admin" />}>
      <section className={styles.next} aria-label={words.next}>
        <h2>{words.next}</h2>
        <ul>
          <li>
            <TextLink to="/admin">{words.openAdmin}</TextLink>
          </li>
          <li>
            <TextLink to="/admin/collections/-new">{words.nextCollection}</TextLink>
          </li>
          <li>
            <TextLink to="/admin/utils/api-keys">{words.nextKey}</TextLink>
          </li>
          <li>
            <a href="/api/docs">{words.nextReference}</a>
          </li>
        </ul>
        <p>
          {words.siteAt} <code className={styles.path}>{site.url}</code>
        </p>
      </section>
    </SetupFrame>
  );
}
