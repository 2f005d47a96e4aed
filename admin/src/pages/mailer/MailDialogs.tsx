// The dialogs of a mail. Which one is open stands in the address: a link shows it, and it stays when the window changes its size.

import { lazy, Suspense } from "react";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { useCan, useStart } from "#session/start.ts";
import { mailerCollection } from "./mail-calls.ts";
import { useOpenDialog } from "./open-dialog.ts";

const PreviewDialog = lazy(() => import("./PreviewDialog.tsx").then((part) => ({ default: part.PreviewDialog })));
const TestDialog = lazy(() => import("./SendDialogs.tsx").then((part) => ({ default: part.TestDialog })));
const SendDialog = lazy(() => import("./SendDialogs.tsx").then((part) => ({ default: part.SendDialog })));
const BulkDialog = lazy(() => import("./BulkDialog.tsx").then((part) => ({ default: part.BulkDialog })));

export function MailDialogs({ mail }: { mail: ShownObject }) {
  const can = useCan();
  const { site } = useStart();
  const { open, setOpen } = useOpenDialog();
  if (!can("update", { objects: mailerCollection })) return null;
  const props = { mail, onClose: () => setOpen(undefined) };
  return (
    <Suspense fallback={null}>
      {open === "preview" && <PreviewDialog {...props} />}
      {site.mail && open === "test" && <TestDialog {...props} />}
      {site.mail && open === "send" && <SendDialog {...props} />}
      {site.mail && open === "bulk" && <BulkDialog {...props} />}
    </Suspense>
  );
}
