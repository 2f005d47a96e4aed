// Sets one property of many objects. Conditions of visibility do not apply here.

import type { Json } from "@contract/json.ts";
import { Suspense, useEffect, useId, useMemo, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import type { FieldContext, FieldValue } from "#fields/field-kind.ts";
import { Help } from "#fields/Help.tsx";
import { otherField } from "#fields/other.tsx";
import { type FieldProperty, readProperty } from "#fields/property.ts";
import { fieldKindOf } from "#fields/registry.ts";
import type { Column } from "#grid/columns.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./bulk.module.css";
import { OtherNumber, type Target } from "./useBulk.ts";

interface Props {
  collection: string;
  columns: readonly Column[];
  target: Target;
  /** How many of them have another value; undefined where that is not cheap to say. */
  countOthers: (column: Column, value: Json, target: Target) => Promise<number | undefined>;
  onApply: (column: Column, value: Json, target: Target) => Promise<unknown>;
  onClose: () => void;
}

export function EditDialog({ collection, columns, target, countOthers, onApply, onClose }: Props) {
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const [property, setProperty] = useState("");
  const [typed, setTyped] = useState<FieldValue>();
  const [count, setCount] = useState(target.count);
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<{ field?: string; text?: string }>({});
  const editable = useMemo(
    () => columns.map((column) => ({ column, field: propertyOf(column) })).filter(({ field }) => isEditable(field)),
    [columns],
  );
  const { column, field } = editable.find((one) => one.column.property === property) ?? {};
  const value = field && sentValue(field, typed);
  const others = useOthers({ column, value, target: { ...target, count }, countOthers });

  const apply = async () => {
    if (!column || !field || value === undefined) return;
    setIsPending(true);
    setProblem({});
    try {
      await onApply(column, value, { ...target, count });
      onClose();
    } catch (error) {
      setIsPending(false);
      setProblem(problemOf(error, column.property));
      if (error instanceof OtherNumber) {
        setProblem({ text: words.numberChanged(error.count, count) });
        setCount(error.count);
      }
    }
  };
  return (
    <Dialog
      title={words.editTitle(count)}
      size="small"
      onClose={onClose}
      isDirty={typed !== undefined && !isPending}
      onSubmit={() => void apply()}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isDisabled={!column} isPending={isPending}>
            {words.applyTo(count)}
          </Button>
        </>
      )}
    >
      <div className={css.fields}>
        <Select
          label={words.property}
          options={editable.map(({ field: { name, label } }) => ({ value: name, label }))}
          value={property}
          onChange={(next) => {
            setProperty(next);
            setTyped(undefined);
            setProblem({});
          }}
          autoFocus
        />
        {field && (
          <Widget
            key={property}
            collection={collection}
            property={field}
            value={typed}
            onChange={setTyped}
            error={problem.field}
          />
        )}
        {column && (
          <p className={css.preview} role="status">
            {others === undefined ? words.previewCount(count) : words.preview(count, others)}
          </p>
        )}
        {problem.text && (
          <div role="alert">
            <Notice tone="bad">{problem.text}</Notice>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface WidgetProps {
  collection: string;
  property: FieldProperty;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
  error: string | undefined;
}

/** The widget of the form, without a form around it. */
function Widget({ collection, property, value, onChange, error }: WidgetProps) {
  const { site } = useStart();
  const id = useId();
  const kind = fieldKindOf(property);
  const help = property.definition.help ?? "";
  const context: FieldContext = {
    ...{ collection, timezone: site.timezone, locales: site.locales, isNew: false, idSource: "", object: undefined },
    ...{ items: {}, passwords: [], helpStyle: "", form: "", isStored: () => false, takeOver: () => undefined },
  };
  return (
    <Suspense fallback={<Skeleton height="4rem" />}>
      <kind.Input
        {...{ id, property, value, onChange, error, context }}
        path={property.name}
        onBlur={() => undefined}
        description={help === "" ? undefined : <Help text={help} />}
        errors={noErrors}
        extra={undefined}
        isDisabled={false}
      />
    </Suspense>
  );
}

const noErrors: ReadonlyMap<string, string> = new Map();

/** Files come by requests of their own, ratings from visitors; a password or a whole structure is nobody's to share. */
const unshared = new Set(["image", "gallery", "file", "depot", "card", "deck", "rating", "password"]);

/** Not what the server sets itself, what no two objects share, or what has no widget. */
function isEditable({ name, kind, type, lock, definition, settings }: FieldProperty): boolean {
  const isOwn = name === "id" || name === "created" || name === "modified";
  if (isOwn || lock !== undefined || definition.unique === true || unshared.has(type)) return false;
  return (
    kind !== "hidden" && definition.hide !== true && settings.hide !== true && fieldKindOf({ kind }) !== otherField
  );
}

function propertyOf({ property, definition }: Column): FieldProperty {
  return readProperty({ id: "", properties: { [property]: definition }, required: [], index: [] }, property, false);
}

const texts = new Set(["string", "slug", "email", "url", "phone", "time", "code", "svg"]);

/** What nothing means: an empty text or list, no, or no value at all. */
function sentValue({ type }: FieldProperty, value: FieldValue): Json {
  if (value !== undefined) return value;
  if (type === "boolean") return false;
  if (type === "list" || type === "array") return [];
  return texts.has(type) ? "" : null;
}

function problemOf(error: unknown, property: string): { field?: string; text?: string } {
  if (!(error instanceof ApiError)) return { text: error instanceof Error ? error.message : String(error) };
  const own = error.details[property]?.join(" ");
  return own ? { field: own } : { text: [error.message, ...Object.values(error.details).flat()].join(" ") };
}

const pause = 250;

interface Counting extends Pick<Props, "countOthers" | "target"> {
  column: Column | undefined;
  value: Json | undefined;
}

function useOthers({ column, value, target, countOthers }: Counting): number | undefined {
  const [others, setOthers] = useState<{ key: string; count: number | undefined }>();
  const key = JSON.stringify([column?.property, value, target.count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all that makes a difference
  useEffect(() => {
    if (!column || value === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      countOthers(column, value, target)
        .then((count) => isCurrent && setOthers({ key, count }))
        .catch(() => isCurrent && setOthers({ key, count: undefined }));
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return others?.key === key ? others.count : undefined;
}
