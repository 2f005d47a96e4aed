// Jumpstart: the site, or parts of it, as one file; import of such a file, after a dry run; the demo site.

import { useCan } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import layout from "#ui/layout.module.css";
import { jumpstartWords } from "#words/jumpstart.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { ExportPart } from "./ExportPart.tsx";
import { ImportPart } from "./ImportPart.tsx";

export function JumpstartPage() {
  const words = useWords(jumpstartWords);
  const ofShell = useWords(shellWords);
  const isAllowed = useCan()("read", { util: "jumpstart" });
  if (!isAllowed) return <Page title={words.title} needs={false} />;
  return (
    <Page title={words.title} breadcrumbs={[{ label: ofShell.manage }]}>
      <div className={layout.page}>
        <p className={layout.intro}>{words.intro}</p>
        <ExportPart />
        <ImportPart />
      </div>
    </Page>
  );
}
