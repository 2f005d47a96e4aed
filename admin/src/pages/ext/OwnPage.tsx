// A page of an extension: the frame of every page around its element.

import type { ExtensionPage } from "@contract/admin.ts";
import { useParams, useSearch } from "@tanstack/react-router";
import { EyeOff, RotateCw } from "lucide-react";
import { useMemo, useState } from "react";
import { ElementHost } from "#elements/ElementHost.tsx";
import type { ElementPart } from "#elements/part.ts";
import { NotFoundPage } from "#pages/NotFoundPage.tsx";
import { savePreferences, usePreferences } from "#session/preferences.ts";
import { useStart } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { elementWords } from "#words/elements.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { pageAt } from "./page-at.ts";

interface Params {
  vendor?: string;
  name?: string;
  _splat?: string;
}

export function OwnPage() {
  const { vendor = "", name = "", _splat = "" } = useParams({ strict: false }) as Params;
  const { pages } = useStart().extensions;
  const found = pageAt(pages, `${vendor}/${name}`, _splat);
  if (!found) return <NotFoundPage />;
  const { page, rest } = found;
  return <Opened key={`${page.extension} ${page.name}`} page={page} rest={rest} />;
}

function Opened({ page, rest }: { page: ExtensionPage; rest: string }) {
  const words = useWords(elementWords);
  const shell = useWords(shellWords);
  const query = useSearch({ strict: false }) as Search;
  const { hiddenPages } = usePreferences();
  const hidden = Array.isArray(hiddenPages) ? (hiddenPages as string[]) : [];
  const [title, setTitle] = useState(page.title);
  const [hasFailed, setHasFailed] = useState(false);
  const id = `${page.extension} ${page.name}`;
  const part = usePagePart(page);
  const hide = (isHidden: boolean) => {
    setHasFailed(false);
    savePreferences({ hiddenPages: isHidden ? [...hidden, id] : hidden.filter((other) => other !== id) });
  };
  return (
    <Page title={title} breadcrumbs={[{ label: shell[page.nav] }]} isWide>
      {hidden.includes(id) ? (
        <Notice tone="info" action={<Button onPress={() => hide(false)}>{words.showAgain}</Button>}>
          {words.hidden(page.extensionName)}
        </Notice>
      ) : hasFailed ? (
        <div role="alert">
          <Notice
            tone="bad"
            title={words.failedTitle(page.title)}
            action={
              <span className={layout.row}>
                <Button icon={RotateCw} onPress={() => setHasFailed(false)}>
                  {words.tryAgain}
                </Button>
                <Button icon={EyeOff} onPress={() => hide(true)}>
                  {words.hideForMe}
                </Button>
              </span>
            }
          >
            {words.failedText(page.extensionName)}
          </Notice>
        </div>
      ) : (
        <ElementHost
          part={part}
          label={page.title}
          properties={{ route: { path: rest, query } }}
          onTitle={(text) => setTitle(text || page.title)}
          onFailed={() => setHasFailed(true)}
        />
      )}
    </Page>
  );
}

/** The same until another version is on: the start of the session is asked for again and again. */
function usePagePart({
  extension,
  extensionName,
  name,
  element,
  frame,
  assets,
  collections,
}: ExtensionPage): ElementPart {
  const key = JSON.stringify(collections);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the collections
  return useMemo(
    () => ({ extension, extensionName, contribution: name, address: element, frame, assets, collections }),
    [extension, extensionName, name, element, frame, assets, key],
  );
}
