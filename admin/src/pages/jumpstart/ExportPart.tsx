// Export: ticks by kind, then the file goes from the server to the disk.

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useId, useState } from "react";
import { addressOf, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { saveFile } from "#grid/bulk/export.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import layout from "#ui/layout.module.css";
import { Slab } from "#ui/Slab.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { jumpstartWords } from "#words/jumpstart.ts";
import { useWords } from "#words/language.ts";
import css from "./jumpstart.module.css";

/** The users, and the scratchpad of each installation. */
const neverExported = new Set(["auth", "playground"]);

export function ExportPart() {
  const words = useWords(jumpstartWords);
  const common = useWords(commonWords);
  const can = useCan();
  const heading = useId();
  const start = useStart();
  const seesSchemas = can("read", "schemas");
  const stored = useQuery({
    queryKey: ["schemas", "custom"],
    queryFn: ({ signal }) =>
      askData<{ schemas: { name: string }[] }>(routes.schemas, { query: { filter: "custom" }, signal }),
    enabled: seesSchemas,
  });
  const known = stored.data?.schemas ?? [];
  const schemaIds = known.map((schema) => schema.name);
  const collections = start.collections.filter(({ id }) => !neverExported.has(id));
  const [name, setName] = useState("");
  // What was left out; what appears meanwhile is in.
  const [withoutSchemas, setWithoutSchemas] = useState<readonly string[]>([]);
  const [without, setWithout] = useState<readonly string[]>([]);
  const [withObjects, setWithObjects] = useState(true);
  const [withTemplates, setWithTemplates] = useState(true);
  const [problem, setProblem] = useState("");

  const schemas = schemaIds.filter((id) => !withoutSchemas.includes(id));
  const chosen = collections.map(({ id }) => id).filter((id) => !without.includes(id));
  const download = () => {
    const isEmpty = schemas.length === 0 && chosen.length === 0 && !withTemplates;
    setProblem(isEmpty ? words.nothing : "");
    if (isEmpty) return;
    const query = {
      ...(name.trim() !== "" && { name: name.trim() }),
      ...(schemas.length < schemaIds.length && { schemas: schemas.join(",") }),
      ...(chosen.length < collections.length && { collections: chosen.join(",") }),
      ...(!withObjects && { objects: "false" }),
      ...(!withTemplates && { templates: "false" }),
    };
    saveFile(addressOf(routes.exportJumpstart, { query }), "jumpstart.json");
  };
  return (
    <Slab as="section" aria-labelledby={heading} className={css.slab}>
      <h2 id={heading} className={layout.title}>
        {words.exportTitle}
      </h2>
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={name}
        onChange={setName}
        autoComplete="off"
        maxLength={100}
      />
      {seesSchemas && stored.error && <Failed error={stored.error} onRetry={() => void stored.refetch()} />}
      {seesSchemas && stored.data && (
        <CheckboxGroup
          label={words.schemas}
          description={schemaIds.length === 0 ? words.noSchemas : undefined}
          allLabel={words.allSchemas}
          columns="180px"
          value={schemas}
          onChange={(next) => setWithoutSchemas(schemaIds.filter((id) => !next.includes(id)))}
          options={known.map(({ name: id }) => ({ value: id, label: id }))}
        />
      )}
      <CheckboxGroup
        label={words.collections}
        description={collections.length === 0 ? words.noCollections : undefined}
        allLabel={words.allCollections}
        columns="180px"
        value={chosen}
        onChange={(next) => setWithout(collections.map(({ id }) => id).filter((id) => !next.includes(id)))}
        options={collections.map(({ id, name: label, count }) => ({
          value: id,
          label: label || id,
          detail: common.objects(count),
        }))}
      />
      <fieldset className={css.ticks}>
        <legend>{words.objects}</legend>
        <Checkbox label={words.withObjects} isSelected={withObjects} onChange={setWithObjects} />
      </fieldset>
      {can("read", "builder") && (
        <fieldset className={css.ticks}>
          <legend>{words.templates}</legend>
          <Checkbox label={words.withTemplates} isSelected={withTemplates} onChange={setWithTemplates} />
        </fieldset>
      )}
      {problem !== "" && (
        <p role="alert" className={layout.bad}>
          {problem}
        </p>
      )}
      <div className={layout.row}>
        <Button variant="primary" icon={Download} onPress={download}>
          {words.export}
        </Button>
      </div>
    </Slab>
  );
}
