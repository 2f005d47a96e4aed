// The question before people who register may read closed collections or drafts. The server decides when it is asked: by 409
// with the collections. What is confirmed is sent again.

import { lazy, type ReactNode, Suspense, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { registrationWords } from "#words/registration.ts";

const ConfirmDialog = lazy(() => import("#ui/ConfirmDialog.tsx").then((part) => ({ default: part.ConfirmDialog })));

/** Added to the address of what is sent. */
export type Confirmed = { confirm?: string };

interface Question {
  collections: readonly string[];
  answer: (isYes: boolean) => void;
}

const all = "*";
const shownAtMost = 10;

export function useRegistrationQuestion(): {
  send<T>(sending: (query: Confirmed) => Promise<T>): Promise<T>;
  question: ReactNode;
} {
  const words = useWords(registrationWords);
  const [asked, setAsked] = useState<Question>();
  const namesOf = (collections: readonly string[]): string[] => {
    const named = collections.filter((id) => id !== all);
    const rest = named.length - shownAtMost;
    return [
      ...named.slice(0, shownAtMost),
      ...(rest > 0 ? [words.more(rest)] : []),
      ...(collections.includes(all) ? [words.everyCollection] : []),
    ];
  };
  const send = async <T,>(sending: (query: Confirmed) => Promise<T>): Promise<T> => {
    try {
      return await sending({});
    } catch (error) {
      const collections = error instanceof ApiError && error.status === 409 ? error.details.collections : undefined;
      if (!collections) throw error;
      const isYes = await new Promise<boolean>((answer) => setAsked({ collections, answer }));
      setAsked(undefined);
      if (isYes) return sending({ confirm: "registration" });
      throw new ApiError({ status: 409, message: words.refused(formatList(namesOf(collections))) });
    }
  };
  const question = asked && (
    <Suspense fallback={null}>
      <ConfirmDialog
        title={words.askTitle}
        text={words.askText}
        confirmLabel={words.confirm}
        tone="danger"
        onConfirm={() => asked.answer(true)}
        onCancel={() => asked.answer(false)}
      >
        <ul>
          {namesOf(asked.collections).map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Suspense>
  );
  return { send, question };
}
