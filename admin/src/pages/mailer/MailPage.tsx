// One mail: the form of its object, with a look at it, the ways to send it, and what became of that.

import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { ObjectPageOf } from "#pages/objects/ObjectPage.tsx";
import { type ObjectPages, ObjectPagesContext } from "#pages/objects/object-pages.ts";
import { useWords } from "#words/language.ts";
import { mailPageWords } from "#words/mail-page.ts";
import { shellWords } from "#words/shell.ts";
import { mailerCollection } from "./mail-calls.ts";

const MailTools = lazy(() => import("./MailTools.tsx").then((part) => ({ default: part.MailTools })));
const MailDialogs = lazy(() => import("./MailDialogs.tsx").then((part) => ({ default: part.MailDialogs })));
const SentPart = lazy(() => import("./SentPart.tsx").then((part) => ({ default: part.SentPart })));

const hides = ["id", "updated"];

export function MailPage() {
  const { id } = useParams({ strict: false });
  const words = useWords(mailPageWords);
  const { run } = useWords(shellWords);
  const pages = useMemo<ObjectPages>(
    () => ({
      table: { to: "/admin/mailer" },
      tableName: words.title,
      newObject: { to: "/admin/mailer/-new" },
      object: (mail) => ({ to: "/admin/mailer/$id", params: { id: mail } }),
      breadcrumbs: [{ label: run }, { label: words.title, to: "/admin/mailer" }],
      newTitle: words.newMail,
      // The side panel has the id and the time.
      hides,
      actions: (mail) => (
        <Suspense fallback={null}>
          <MailTools mail={mail} />
        </Suspense>
      ),
      below: (mail) => (
        <>
          <Suspense fallback={null}>
            <MailDialogs mail={mail} />
          </Suspense>
          <Suspense fallback={null}>
            <SentPart mailer={mail.id} />
          </Suspense>
        </>
      ),
    }),
    [words, run],
  );
  return (
    <ObjectPagesContext value={pages}>
      <ObjectPageOf collection={mailerCollection} id={id} />
    </ObjectPagesContext>
  );
}
