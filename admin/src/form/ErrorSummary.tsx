// What kept a form from being saved, above it: a link to each field, and texts that belong to no field.

import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Icon } from "#ui/Icon.tsx";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./ErrorSummary.module.css";

export interface SummaryLink {
  path: string;
  label: string;
  text: string;
}

export interface Refusal {
  /** Grows with every try, so that the focus comes here each time. */
  attempt: number;
  /** A text that belongs to no field; empty without one. */
  text: string;
  requestId: string;
}

interface Props {
  refusal: Refusal;
  links: readonly SummaryLink[];
  onGo: (path: string) => void;
}

export function ErrorSummary({ refusal, links, onGo }: Props) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const frame = useRef<HTMLDivElement>(null);
  const { attempt, text, requestId } = refusal;
  useEffect(() => {
    if (attempt > 0) frame.current?.focus();
  }, [attempt]);
  const title = links.length > 0 ? words.attention(links.length) : words.notSavedTitle;
  return (
    <div ref={frame} role="alert" aria-label={title} tabIndex={-1} className={css.summary}>
      <Icon of={CircleAlert} size={20} className={css.icon} />
      <div className={css.words}>
        <p className={css.title}>{title}</p>
        {text !== "" && <p>{text}</p>}
        {links.length > 0 && (
          <ul className={css.links}>
            {links.map(({ path, label, text: reason }) => (
              <li key={path}>
                <a
                  href={`#${encodeURIComponent(path)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    onGo(path);
                  }}
                >
                  {label}
                </a>
                <span className={css.reason}> {reason}</span>
              </li>
            ))}
          </ul>
        )}
        {requestId !== "" && (
          <p className={css.request}>
            {common.requestId(requestId)}
            <CopyButton text={requestId} label={common.copy} copiedLabel={common.copied} isIconOnly />
          </p>
        )}
      </div>
    </div>
  );
}
