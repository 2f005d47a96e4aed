// What an element asks the person: yes or no, or to choose objects.

import type { FoundObject } from "@contract/admin.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { MultiSelect } from "#ui/MultiSelect.tsx";
import { Select } from "#ui/Select.tsx";
import { commonWords } from "#words/common.ts";
import { elementWords } from "#words/elements.ts";
import { useWords } from "#words/language.ts";
import type { Question } from "./admin-api.ts";

export function ElementQuestions({ question, onDone }: { question: Question; onDone: () => void }) {
  const words = useWords(elementWords);
  if (question.kind === "pick") return <PickDialog {...question} onDone={onDone} />;
  const answer = (isYes: boolean) => {
    onDone();
    question.answer(isYes);
  };
  return (
    <ConfirmDialog
      title={question.title}
      text={question.text}
      confirmLabel={words.confirm}
      {...(question.danger && { tone: "danger" as const })}
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    />
  );
}

const limit = 20;

type PickProps = Extract<Question, { kind: "pick" }> & { onDone: () => void };

function PickDialog({ collection, multiple, answer, onDone }: PickProps) {
  const words = useWords(elementWords);
  const common = useWords(commonWords);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const found = useQuery({
    queryKey: ["element-pick", collection, typed],
    queryFn: async ({ signal }) => {
      const objects = await askData<FoundObject[]>(routes.search, {
        query: { q: typed, collections: collection, limit },
        signal,
      });
      setNames((before) => new Map([...before, ...objects.map(({ id, title }): [string, string] => [id, title])]));
      return objects;
    },
    placeholderData: keepPreviousData,
  });
  const close = (ids: string[] | null) => {
    onDone();
    answer(ids);
  };
  const options = (found.data ?? []).map(({ id, title }) => ({ value: id, label: title || id, detail: id }));
  const search = { options, onSearch: setTyped, isLoading: found.isFetching };
  return (
    <Dialog
      title={multiple ? words.pickSeveral : words.pick}
      onClose={() => close(null)}
      onSubmit={() => chosen.length > 0 && close(chosen)}
      footer={
        <>
          <Button onPress={() => close(null)}>{common.cancel}</Button>
          <Button variant="primary" type="submit" isDisabled={chosen.length === 0}>
            {words.choose}
          </Button>
        </>
      }
    >
      {multiple ? (
        <MultiSelect
          label={words.objects}
          chosen={chosen.map((value) => ({ value, label: names.get(value) ?? value }))}
          onChange={setChosen}
          {...search}
        />
      ) : (
        <Select
          label={words.object}
          value={chosen[0] ?? ""}
          onChange={(id) => setChosen(id === "" ? [] : [id])}
          isClearable
          {...search}
        />
      )}
    </Dialog>
  );
}
