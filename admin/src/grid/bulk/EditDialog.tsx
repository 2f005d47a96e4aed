// Sets one property of many objects. Conditions of visibility do not apply here.

import type { Json } from "@contract/json.ts";
import { useEffect, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import type { Column } from "#grid/columns.ts";
import { ValueControl } from "#grid/filter/ValueControl.tsx";
import { controlOf, sentValue } from "#grid/values.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Select } from "#ui/Select.tsx";
import { Switch } from "#ui/Switch.tsx";
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
  const [text, setText] = useState("");
  const [count, setCount] = useState(target.count);
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<{ field?: string; text?: string }>({});
  const editable = columns.filter((column) => isEditable(column));
  const column = editable.find((one) => one.property === property);
  const kind = column && controlOf(column);
  const value = kind && sentValue(kind, text);
  const others = useOthers({ column, value, target: { ...target, count }, countOthers });

  const apply = async () => {
    if (!column || value === undefined) return;
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
      isDirty={text !== "" && !isPending}
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
          options={editable.map((one) => ({ value: one.property, label: one.label }))}
          value={property}
          onChange={(next) => {
            setProperty(next);
            setText("");
            setProblem({});
          }}
          autoFocus
        />
        {column && (
          <Widget
            key={property}
            collection={collection}
            column={column}
            text={text}
            onChange={setText}
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
  column: Column;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

/** As in the form: a box or a switch for what is true or false. */
function Widget({ collection, column, text, onChange, error }: WidgetProps) {
  const { label, field } = column;
  if (controlOf(column) !== "boolean")
    return (
      <ValueControl
        collection={collection}
        column={column}
        label={label}
        value={text}
        onChange={onChange}
        isMany={controlOf(column) === "list"}
        error={error}
      />
    );
  const box = { label, isSelected: text === "true", onChange: (isOn: boolean) => onChange(String(isOn)), error };
  return field === "toggle" ? <Switch {...box} /> : <Checkbox {...box} />;
}

/** Not what the server sets itself, nor what takes an editor of its own. */
function isEditable(column: Column): boolean {
  const { property, definition } = column;
  const { readonly, disabled, calc, onCreate, onUpdate, lockOnEdit } = definition.settings ?? {};
  const isOwn = property === "id" || property === "created" || property === "modified";
  const isLocked = [readonly, disabled, onCreate, onUpdate, lockOnEdit].includes(true) || typeof calc === "string";
  return !isOwn && !isLocked && definition.unique !== true && controlOf(column) !== undefined;
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
