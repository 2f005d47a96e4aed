// The third step: what to put in front of Cairn, ready to copy.

import { type ServerConfig, type WebServer, webServers } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Failed } from "#shell/LoadState.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { setupWords } from "#words/setup.ts";
import styles from "./Setup.module.css";
import { ContinueButton, SetupFrame } from "./SetupFrame.tsx";

export function ServerConfigPage() {
  const words = useWords(setupWords);
  const common = useWords(commonWords);
  const [server, setServer] = useState<WebServer>("nginx");
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["server-config", server],
    queryFn: ({ signal }) => askData<ServerConfig>(routes.serverConfig, { query: { server }, signal }),
  });
  const detected = data?.detected ?? null;
  useEffect(() => {
    if (detected) setServer(detected);
  }, [detected]);
  const name = words.serverNames[server];
  return (
    <SetupFrame
      step="serverConfig"
      intro={words.serverConfigIntro}
      isBusy={isPending}
      footer={<ContinueButton to="/setup/complete" />}
    >
      {detected && <p>{words.detected(words.serverNames[detected])}</p>}
      <Tabs
        label={words.servers}
        tabs={webServers.map((id) => ({ id, label: words.serverNames[id] }))}
        selected={server}
        onSelect={(id) => setServer(id as WebServer)}
      >
        <div className={styles.config}>
          {error && <Failed error={error} onRetry={() => void refetch()} />}
          {isPending && <Skeleton height="16rem" />}
          {data && (
            <>
              <CopyButton text={data.text} label={common.copy} copiedLabel={common.copied} />
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
              <section className={styles.code} tabIndex={0} aria-label={words.copyOf(name)}>
                <pre>{data.text}</pre>
              </section>
            </>
          )}
        </div>
      </Tabs>
    </SetupFrame>
  );
}
