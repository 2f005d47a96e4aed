// The last step: the way into the admin.

import { useStart } from "#session/start.ts";
import { LinkButton } from "#shell/links.tsx";
import { useWords } from "#words/language.ts";
import { setupWords } from "#words/setup.ts";
import styles from "./Setup.module.css";
import { SetupFrame } from "./SetupFrame.tsx";

export function ReadyPage() {
  const words = useWords(setupWords);
  const { site } = useStart();
  return (
    <SetupFrame
      step="ready"
      intro={words.readyIntro}
      footer={
        <LinkButton to="/admin" variant="primary">
          {words.openAdmin}
        </LinkButton>
      }
    >
      <section className={styles.next} aria-label={words.next}>
        <h2>{words.next}</h2>
        <ul>
          <li>{words.nextCollection}</li>
          <li>{words.nextKey}</li>
          <li>
            <a href="/api/docs">{words.nextReference}</a>
          </li>
        </ul>
        <p>
          <code className={styles.path}>{site.url}</code>
        </p>
      </section>
    </SetupFrame>
  );
}
