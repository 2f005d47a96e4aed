// A new collection: its name, its id, the schema of its objects, and how it is called.

import type { JsonObject } from "@contract/json.ts";
import type { SchemaSummary } from "@contract/schemas.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { ErrorSummary, type Refusal } from "#form/ErrorSummary.tsx";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { startQuery, useCan } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { Select } from "#ui/Select.tsx";
import { Slab } from "#ui/Slab.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { idOf } from "./collection-id.ts";
import css from "./NewCollectionPage.module.css";

const empty = { name: "", id: "", schema: "", category: "", labelSingular: "", labelPlural: "" };
type Field = keyof typeof empty;
type Errors = Partial<Record<Field, string>>;

export function NewCollectionPage() {
  const words = useWords(formWords);
  const can = useCan();
  return (
    <Page
      title={words.newCollection}
      breadcrumbs={[{ label: words.collections, to: "/admin/collections" }]}
      needs={can("create", "collections")}
    >
      <NewCollection />
    </Page>
  );
}

function NewCollection() {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const { schema = "" } = useSearch({ strict: false }) as Search;
  const [values, setValues] = useState({ ...empty, schema });
  const [isIdTyped, setIsIdTyped] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<Refusal>({ attempt: 0, text: "", requestId: "" });
  const [isPending, setIsPending] = useState(false);
  const isDone = useRef(false);
  const schemas = useQuery({
    queryKey: ["schemas"],
    queryFn: async ({ signal }) => (await askData<{ schemas: SchemaSummary[] }>(routes.schemas, { signal })).schemas,
  });

  const labels: Record<Field, string> = {
    name: words.collectionName,
    id: words.collectionId,
    schema: words.collectionSchema,
    category: words.collectionCategory,
    labelSingular: words.singular,
    labelPlural: words.plural,
  };
  const set = (field: Field, value: string) => {
    const made = field === "name" && !isIdTyped ? { id: idOf(value) } : {};
    setValues((before) => ({ ...before, [field]: value, ...made }));
    setErrors(({ [field]: _, ...others }) => others);
    if (field === "id") setIsIdTyped(value !== "");
  };
  const refuse = (found: Errors, text = "", requestId = "") => {
    setErrors(found);
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };

  const create = async (): Promise<boolean> => {
    const missing: Errors = {
      ...(values.name.trim() === "" && { name: words.nameRequired }),
      ...(values.id.trim() === "" && { id: words.idRequired }),
      ...(values.schema === "" && { schema: words.schemaRequired }),
    };
    if (Object.keys(missing).length > 0) return refuse(missing);
    const body: JsonObject = Object.fromEntries(
      Object.entries(values)
        .map(([field, value]) => [field, value.trim()])
        .filter(([, value]) => value !== ""),
    );
    setIsPending(true);
    try {
      const { id } = (await ask<JsonObject>(routes.createCollection, { body })).data;
      isDone.current = true;
      await queries.refetchQueries({ queryKey: startQuery.queryKey });
      toast.good(words.collectionCreated(values.name.trim()));
      await navigate({ to: "/admin/collections/$collection", params: { collection: String(id ?? values.id) } });
      return true;
    } catch (error) {
      const { text, requestId } = errorText(error, common);
      const details = error instanceof ApiError ? Object.entries(error.details) : [];
      const found = details.filter(([field]) => field in empty);
      const named = found.map(([field, texts]) => [field, inWords(labels[field as Field], texts)]);
      return refuse(Object.fromEntries(named), found.length > 0 ? "" : text, found.length > 0 ? "" : requestId);
    } finally {
      setIsPending(false);
    }
  };

  const links = (Object.keys(labels) as Field[]).flatMap((field) => {
    const text = errors[field];
    return text === undefined ? [] : [{ path: field, label: labels[field], text }];
  });
  const field = (name: Field) => ({
    id: `collection-${name}`,
    label: labels[name],
    value: values[name],
    onChange: (value: string) => set(name, value),
    error: errors[name],
  });
  const goTo = (path: string) => {
    form.current
      ?.querySelector<HTMLElement>(`[id^="collection-${path}"] input, input[id="collection-${path}"]`)
      ?.focus();
  };
  return (
    <form
      ref={form}
      className={css.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void create();
      }}
    >
      {(links.length > 0 || refusal.text !== "") && <ErrorSummary refusal={refusal} links={links} onGo={goTo} />}
      <Slab className={css.slab}>
        <TextInput {...field("name")} description={words.collectionNameHelp} isRequired autoComplete="off" />
        <TextInput
          {...field("id")}
          description={words.collectionIdHelp}
          isRequired
          isMono
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          {...field("schema")}
          description={words.collectionSchemaHelp}
          isRequired
          isLoading={schemas.isPending}
          options={(schemas.data ?? []).map(({ name, title }) => ({ value: name, label: title || name, detail: name }))}
        />
        <TextInput {...field("category")} description={words.collectionCategoryHelp} autoComplete="off" />
        <div className={css.pair}>
          <TextInput {...field("labelSingular")} description={words.singularHelp} autoComplete="off" />
          <TextInput {...field("labelPlural")} description={words.pluralHelp} autoComplete="off" />
        </div>
      </Slab>
      <div>
        <Button type="submit" variant="primary" isPending={isPending}>
          {words.createCollection}
        </Button>
      </div>
      <LeaveGuard
        unsaved={() => (isDone.current ? 0 : Object.values(values).filter((value) => value !== "").length)}
        text={words.leaveTextUnkept}
        onSave={create}
      />
    </form>
  );
}

/** "is taken" goes on from the label; a sentence stands alone. */
function inWords(label: string, texts: string[]): string {
  return texts.map((text) => (/^[a-z]/.test(text) ? `${label} ${text}` : text)).join(". ");
}
