// One mail: the form of its object, with a look at it, the ways to send it, and what became of that.

import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { ObjectPageOf } from "#pages/objects/ObjectPage.tsx";
import { type ObjectPages, ObjectPagesContext } from "#pages/objects/object-pages.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { MailDialogs } from "./MailDialogs.tsx";
import { MailTools } from "./MailTools.tsx";
import { mailerCollection } from "./mail-calls.ts";
import { SentPart } from "./SentPart.tsx";

const hides = ["id", "updated"];

export function MailPage() {
  const { id } = useParams({ strict: false });
  const words = useWords(mailerWords);
  const pages = useMemo<ObjectPages>(
    () => ({
      table: { to: "/admin/mailer" },
      tableName: words.title,
      newObject: { to: "/admin/mailer/-new" },
      object: (mail) => ({ to: "/admin/mailer/$id", params: { id: mail } }),
      breadcrumbs: [{ label: words.title, to: "/admin/mailer" }],
      newTitle: words.newMail,
      // The side panel has the id and the time.
      hides,
      actions: (mail) => <MailTools mail={mail} />,
      below: (mail) => (
        <>
          <MailDialogs mail={mail} />
          <SentPart mailer={mail.id} />
        </>
      ),
    }),
    [words],
  );
  return (
    <ObjectPagesContext value={pages}>
      <ObjectPageOf collection={mailerCollection} id={id} />
    </ObjectPagesContext>
  );
}
