// The dialog that makes a key: what it is for, which methods and which endpoints it opens.

import { type KeyMethod, keyMethods } from "@contract/keys.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { useStart } from "#session/start.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { apiKeysWords } from "#words/api-keys.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import css from "./api-keys.module.css";
import { collectionEndpoints, generalEndpoints } from "./endpoints.ts";
import { createKey, keysQuery, type MadeApiKey } from "./keys.ts";

type Problems = Partial<Record<"name" | "methods" | "endpoints", string>>;

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (key: MadeApiKey) => void }) {
  const words = useWords(apiKeysWords);
  const common = useWords(commonWords);
  const { collections } = useStart();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [methods, setMethods] = useState<string[]>(["GET"]);
  const [reach, setReach] = useState("all");
  const [general, setGeneral] = useState<string[]>([]);
  const [single, setSingle] = useState<string[]>([]);
  const [isPublished, setIsPublished] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const isSpecific = reach === "specific";
  const endpoints = isSpecific ? [...general, ...single] : ["*"];

  const submit = async () => {
    if (isPending) return;
    const found: Problems = {
      ...(name.trim() === "" && { name: words.nameRequired }),
      ...(methods.length === 0 && { methods: words.methodsRequired }),
      ...(endpoints.length === 0 && { endpoints: words.endpointsRequired }),
    };
    setProblems(found);
    setFailure(undefined);
    if (Object.keys(found).length > 0) return;
    setIsPending(true);
    try {
      const made = await createKey({
        name: name.trim(),
        methods: methods as KeyMethod[],
        endpoints,
        published: isPublished,
      });
      void client.invalidateQueries({ queryKey: keysQuery.queryKey });
      void client.invalidateQueries({ queryKey: ["start"] });
      onMade(made);
    } catch (error) {
      const details = error instanceof ApiError ? Object.entries(error.details) : [];
      setProblems(Object.fromEntries(details.map(([field, texts]) => [field, texts.join(". ")])));
      if (details.length === 0) setFailure(error);
      setIsPending(false);
    }
  };

  return (
    <Dialog
      title={words.newKey}
      onClose={onClose}
      onSubmit={() => void submit()}
      isDirty={name !== "" || isSpecific || methods.join() !== "GET"}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            {words.create}
          </Button>
        </>
      )}
    >
      <div className={css.form}>
        {failure !== undefined && <Problem error={failure} />}
        <TextInput
          label={words.name}
          description={words.nameHelp}
          value={name}
          onChange={setName}
          error={problems.name}
          autoComplete="off"
          isRequired
          autoFocus
        />
        <CheckboxGroup
          label={words.methods}
          value={methods}
          onChange={setMethods}
          options={keyMethods.map((method) => ({ value: method, label: method }))}
          columns="4.75rem"
          error={problems.methods}
        />
        <RadioGroup
          label={words.reach}
          value={reach}
          onChange={setReach}
          options={[
            { value: "all", label: words.all, detail: words.allHelp },
            { value: "specific", label: words.specific, detail: words.specificHelp },
          ]}
        />
        {isSpecific && (
          <div className={css.specific}>
            <CheckboxGroup
              label={words.general}
              value={general}
              onChange={setGeneral}
              options={generalEndpoints(words.named)}
              columns="13rem"
              error={problems.endpoints}
            />
            {collections.length > 0 && (
              <CheckboxGroup
                label={words.collections}
                value={single}
                onChange={setSingle}
                options={collectionEndpoints(collections)}
                columns="13rem"
              />
            )}
          </div>
        )}
        <Checkbox
          label={words.published}
          description={words.publishedHelp}
          isSelected={isPublished}
          onChange={setIsPublished}
        />
      </div>
    </Dialog>
  );
}
