// The mail as it would arrive, from what is typed, saved or not, with the data of a chosen object. Its HTML runs no script.

import type { JsonObject } from "@contract/json.ts";
import type { MailPreview } from "@contract/mail.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useFormScope } from "#form/form-context.ts";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { PreviewFrame } from "#ui/preview/PreviewFrame.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { AboutFields } from "./AboutFields.tsx";
import { bodyOf, useAbout } from "./about-object.ts";
import { mailOf } from "./mail-values.ts";
import css from "./mailer.module.css";

const widths = { phone: 360, tablet: 640, desktop: 960 } as const;
type Width = keyof typeof widths;

export function PreviewDialog({ mail, onClose }: { mail: ShownObject; onClose: () => void }) {
  const words = useWords(mailerWords);
  const common = useWords(commonWords);
  const { store } = useFormScope();
  const { about, setAbout } = useAbout(String(mail.stored.bulkCollection ?? ""));
  const [typed] = useState(() => mailOf(store.values()));
  const preview = useMailPreview(typed, bodyOf(about));
  return (
    <Dialog
      title={words.previewTitle(mail.title)}
      size="full"
      onClose={onClose}
      footer={<Button onPress={onClose}>{common.close}</Button>}
    >
      <div className={layout.stack}>
        <AboutFields about={about} onChange={setAbout} />
        {preview.error ? (
          <Problem error={preview.error} />
        ) : preview.data ? (
          <Shown preview={preview.data} labelOf={(property) => labelIn(words, property)} />
        ) : (
          <Skeleton height="20rem" />
        )}
      </div>
    </Dialog>
  );
}

export function useMailPreview(mail: JsonObject, about: JsonObject) {
  return useQuery({
    queryKey: ["mail-preview", mail, about],
    queryFn: ({ signal }) => askData<MailPreview>(routes.previewMail, { body: { mail, ...about }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

function labelIn(words: Record<string, unknown>, property: string): string {
  const label = words[{ bodyHtml: "html", bodyText: "text" }[property] ?? property];
  return typeof label === "string" ? label : property;
}

function Shown({ preview, labelOf }: { preview: MailPreview; labelOf: (property: string) => string }) {
  const words = useWords(mailerWords);
  const [part, setPart] = useState<string>(preview.html === "" ? "text" : "html");
  const [width, setWidth] = useState<Width>("desktop");
  return (
    <>
      <Problems problems={preview.problems} labelOf={labelOf} />
      <Envelope preview={preview} />
      <Tabs
        label={words.parts}
        tabs={[
          { id: "html", label: words.html },
          { id: "text", label: words.text },
        ]}
        selected={part}
        onSelect={setPart}
      >
        {part === "text" ? (
          preview.text === "" ? (
            <p className={layout.quiet}>{words.noText}</p>
          ) : (
            <pre className={css.code}>{preview.text}</pre>
          )
        ) : preview.html === "" ? (
          <p className={layout.quiet}>{words.noHtml}</p>
        ) : (
          <div className={layout.stack}>
            <RadioGroup
              label={words.widths}
              look="segments"
              value={width}
              onChange={(next) => setWidth(next as Width)}
              options={(Object.keys(widths) as Width[]).map((one) => ({ value: one, label: words[one] }))}
            />
            <div className={css.paper}>
              <PreviewFrame title={words.frame} html={preview.html} width={widths[width]} />
            </div>
          </div>
        )}
      </Tabs>
    </>
  );
}

interface ProblemsProps {
  problems: MailPreview["problems"];
  labelOf?: (property: string) => string;
}

export function Problems({ problems, labelOf = (property) => property }: ProblemsProps) {
  const words = useWords(mailerWords);
  const found = Object.entries(problems);
  if (found.length === 0) return null;
  return (
    <Notice tone="warn" title={words.problems(found.length)}>
      <ul className={css.list}>
        {found.map(([property, texts]) => (
          <li key={property}>
            {labelOf(property)}: {texts.join(". ")}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Who gets it, from whom, about what. */
export function Envelope({ preview }: { preview: MailPreview }) {
  const words = useWords(mailerWords);
  const { to, toName, cc, bcc, from, fromName, replyTo, subject } = preview;
  const named = (name: string, address: string) => (name === "" ? address : `${name} <${address}>`);
  const lines: [label: string, text: string][] = [
    [words.to, to.length === 1 ? named(toName, to[0] ?? "") : to.join(", ") || words.nobody],
    [words.subject, subject],
    [words.from, from === "" ? [fromName, words.fromSettings].filter(Boolean).join(", ") : named(fromName, from)],
    [words.replyTo, replyTo],
    [words.cc, cc.join(", ")],
    [words.bcc, bcc.join(", ")],
  ];
  return (
    <dl className={css.envelope}>
      {lines
        .filter(([, text]) => text !== "")
        .map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}
