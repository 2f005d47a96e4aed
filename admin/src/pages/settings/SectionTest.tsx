// Whether the saved settings of a section work: a mail, or a connection.

import type { MailTest } from "@contract/mail.ts";
import type { DoctorReport } from "@contract/mcp.ts";
import type { SyncRemote } from "@contract/transfer.ts";
import { useMutation } from "@tanstack/react-query";
import { Plug, Send } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useSummary } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { Problem } from "#shell/LoadState.tsx";
import { MailTestDialog } from "#shell/MailTestDialog.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { siteSettingsWords } from "#words/site-settings.ts";
import css from "./settings.module.css";

export function SectionTest({ section, store }: { section: string; store: FormStore }) {
  const words = useWords(siteSettingsWords);
  const [isOpen, setIsOpen] = useState(false);
  if (section === "mcp") return <ConnectionTest store={store} examine={examineMcp} />;
  if (section === "sync") return <ConnectionTest store={store} examine={examineRemote} />;
  if (section !== "smtp") return null;
  return (
    <>
      <Button icon={Send} onPress={() => setIsOpen(true)}>
        {words.sendTest}
      </Button>
      {isOpen && <SettingsMailTest store={store} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface Examined {
  isWell: boolean;
  /** What is wrong, with what to do. */
  findings: { message: string; fix: string; isBad: boolean }[];
}

/** The steps of a client that has never seen the site. */
async function examineMcp(): Promise<Examined> {
  const { isWell, checks } = await askData<DoctorReport>(routes.mcpDoctor, { body: {} });
  const wrong = checks.filter(({ result }) => result === "fail" || result === "warn");
  return {
    isWell,
    findings: wrong.map(({ message, fix = "", result }) => ({ message, fix, isBad: result === "fail" })),
  };
}

async function examineRemote(words: { noRemote: string; noAnswer: (url: string) => string }): Promise<Examined> {
  const { configured, reachable, url, problem = "" } = await askData<SyncRemote>(routes.syncRemote);
  const isWell = configured && reachable && problem === "";
  const message = configured ? words.noAnswer(url) : words.noRemote;
  return { isWell, findings: isWell ? [] : [{ message, fix: problem, isBad: true }] };
}

interface ConnectionProps {
  store: FormStore;
  examine: (words: { noRemote: string; noAnswer: (url: string) => string }) => Promise<Examined>;
}

function ConnectionTest({ store, examine }: ConnectionProps) {
  const words = useWords(siteSettingsWords);
  const common = useWords(commonWords);
  const { dirty } = useSummary(store);
  const test = useMutation({ mutationFn: () => examine(words) });
  return (
    <>
      <Button icon={Plug} isPending={test.isPending} onPress={() => test.mutate()}>
        {words.testConnection}
      </Button>
      {!test.isIdle && !test.isPending && (
        <Dialog
          title={words.testConnection}
          onClose={test.reset}
          footer={<Button onPress={test.reset}>{common.close}</Button>}
        >
          <div className={css.stack}>
            {dirty.length > 0 && <Notice tone="warn">{words.unsaved}</Notice>}
            {test.error && <Problem error={test.error} />}
            {test.data?.isWell && <Notice tone="good">{words.connected}</Notice>}
            {test.data?.findings.map(({ message, fix, isBad }) => (
              <Notice key={message} tone={isBad ? "bad" : "warn"} title={message}>
                {fix}
              </Notice>
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}

function SettingsMailTest({ store, onClose }: { store: FormStore; onClose: () => void }) {
  const words = useWords(siteSettingsWords);
  const { dirty } = useSummary(store);
  return (
    <MailTestDialog
      title={words.testTitle}
      words={words}
      send={(to) => askData<MailTest>(routes.tryMailSettings, { body: { to } })}
      onClose={onClose}
      notice={dirty.length > 0 && <Notice tone="warn">{words.unsaved}</Notice>}
    />
  );
}
