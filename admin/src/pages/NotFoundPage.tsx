// No page is at this address: the ways on are the search and Home.

import { House, Search } from "lucide-react";
import { LinkButton } from "#shell/links.tsx";
import { isPaletteOpen } from "#shell/overlays.ts";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { CairnDrawing } from "#ui/CairnDrawing.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import styles from "./NotFoundPage.module.css";

export function NotFoundPage() {
  const words = useWords(commonWords);
  return (
    <Page title={words.notFoundTitle}>
      <div className={styles.text}>
        <CairnDrawing />
        <p>{words.notFoundText}</p>
        <div className={styles.ways}>
          <LinkButton to="/admin" icon={House} variant="primary">
            {words.home}
          </LinkButton>
          <Button icon={Search} onPress={() => isPaletteOpen.set(true)}>
            {words.search}
          </Button>
        </div>
      </div>
    </Page>
  );
}
