// What the template of a preview sees: nothing, an object, or JSON.

import type { JsonObject } from "@contract/json.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { useStart } from "#session/start.ts";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Select } from "#ui/Select.tsx";
import { useWords } from "#words/language.ts";
import { previewWords } from "#words/preview.ts";
import css from "./preview.module.css";
import type { PreviewChoice } from "./use-preview-data.ts";

const offered = 50;
const titles = ["title", "name", "label", "subject", "email"];

export function DataPicker({ choice }: { choice: PreviewChoice }) {
  const words = useWords(previewWords);
  const { from, json, choose } = choice;
  return (
    <div className={css.picker}>
      <RadioGroup
        label={words.dataFrom}
        look="segments"
        value={from}
        onChange={(next) => choose({ from: next })}
        options={[
          { value: "none", label: words.none },
          { value: "object", label: words.object },
          { value: "json", label: words.json },
        ]}
      />
      {from === "object" && <ObjectPicker choice={choice} />}
      {from === "json" && (
        <CodeEditor
          label={words.data}
          description={words.jsonHelp}
          value={json.text}
          onChange={json.setText}
          language="json"
          problems={json.problems}
          error={json.problems[0]?.message}
          rows={4}
          maxHeight="30vh"
        />
      )}
    </div>
  );
}

function ObjectPicker({ choice }: { choice: PreviewChoice }) {
  const words = useWords(previewWords);
  const { collections } = useStart();
  const { collection, object, choose } = choice;
  const [search, setSearch] = useState("");
  const found = useQuery({
    queryKey: ["objects", collection, "preview", search],
    queryFn: ({ signal }) =>
      askData<JsonObject[]>(routes.query, {
        path: { collection },
        query: { limit: offered, ...(search !== "" && { search }) },
        signal,
      }),
    enabled: collection !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className={css.pair}>
        <Select
          label={words.collection}
          options={collections.map(({ id, name }) => ({ value: id, label: name }))}
          value={collection}
          onChange={(next) => choose({ collection: next })}
        />
        <Select
          key={collection}
          label={words.objectOf}
          options={(found.data ?? []).map(optionOf)}
          value={object}
          onChange={(next) => choose({ object: next })}
          onSearch={setSearch}
          isLoading={found.isFetching}
          isDisabled={collection === ""}
        />
      </div>
      <p className={css.help}>{words.objectHelp}</p>
    </>
  );
}

function optionOf(object: JsonObject) {
  const id = String(object.id ?? "");
  const title = titles.map((name) => object[name]).find((value) => typeof value === "string" && value !== "");
  return { value: id, label: typeof title === "string" ? title : id, ...(title !== undefined && { detail: id }) };
}
