// Beside Save of a mail: look at it, send a test, send it. On a small screen one menu has all of them.

import { ChevronDown, Eye, Send, SendHorizontal } from "lucide-react";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { Menu, type MenuAction } from "#ui/Menu.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { mailerCollection } from "./mail-calls.ts";
import { useOpenDialog } from "./open-dialog.ts";

export function MailTools({ mail }: { mail: ShownObject }) {
  const words = useWords(mailerWords);
  const can = useCan();
  const { site } = useStart();
  const isNarrow = useMediaQuery("(max-width: 1199px)");
  const { setOpen } = useOpenDialog();
  const maySend = can("update", { objects: mailerCollection });
  useCommand(maySend ? { id: "preview-mail", label: words.preview, run: () => setOpen("preview") } : undefined);
  useCommand(maySend && site.mail ? { id: "test-mail", label: words.sendTest, run: () => setOpen("test") } : undefined);
  // The server composes and sends for those who may change mails.
  if (!maySend) return null;
  const canSend = site.mail && mail.stored.active !== false;
  const sending: MenuAction[] = [
    { id: "one", label: words.sendOne, isDisabled: !canSend, onAction: () => setOpen("send") },
    { id: "many", label: words.sendMany, isDisabled: !canSend, onAction: () => setOpen("bulk") },
  ];
  const looking: MenuAction[] = [
    { id: "preview", label: words.preview, icon: Eye, onAction: () => setOpen("preview") },
    { id: "test", label: words.sendTest, icon: Send, isDisabled: !site.mail, onAction: () => setOpen("test") },
  ];
  return (
    <>
      {!isNarrow && (
        <>
          <Button icon={Eye} onPress={() => setOpen("preview")}>
            {words.preview}
          </Button>
          <Button icon={Send} isDisabled={!site.mail} onPress={() => setOpen("test")}>
            {words.sendTest}
          </Button>
        </>
      )}
      <Menu
        button={
          <Button icon={SendHorizontal} endIcon={ChevronDown}>
            {words.send}
          </Button>
        }
        items={isNarrow ? [...looking, { section: "", items: sending }] : sending}
        placement="bottom end"
      />
    </>
  );
}
