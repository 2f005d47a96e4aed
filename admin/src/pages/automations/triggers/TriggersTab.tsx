// What starts an automation: a card for each trigger, by its type.

import type { JsonObject } from "@contract/json.ts";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { freeId, itemKey, itemsIn } from "#fields/items.ts";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import css from "#pages/automations/automations.module.css";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { newId } from "#ui/newId.ts";
import { Select } from "#ui/Select.tsx";
import { Slab } from "#ui/Slab.tsx";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";
import { TriggerCard } from "./TriggerCard.tsx";

const path = "triggers";
const types = ["schedule", "webhook", "event"] as const;
/** What a new one of a type has. */
const defaults: Record<string, JsonObject> = {
  schedule: { cron: "0 6 * * *" },
  webhook: { auth: "apiKey", sync: false },
  event: { event: "object.created" },
};

/** `id`: of the automation; undefined while it is new. */
export function TriggersTab({ id }: { id: string | undefined }) {
  const words = useWords(automationsWords);
  const { store, isReadOnly } = useFormScope();
  const items = itemsIn(useFieldState(store, path).value);
  const [isAdding, setIsAdding] = useState(false);
  const [fresh, setFresh] = useState("");
  const addButton = useRef<HTMLButtonElement>(null);
  const hasWebhook = items.some(({ type }) => type === "webhook");
  const add = (type: string) => {
    const made = `${type}-${freeId(items, newId).slice(0, 6).toLowerCase()}`;
    store.set(path, [...items, { id: made, type, ...defaults[type] }]);
    setFresh(made);
    setIsAdding(false);
  };
  const remove = (at: number) => {
    store.set(
      path,
      items.filter((_, place) => place !== at),
    );
    addButton.current?.focus();
  };
  return (
    <div className={css.stack} data-property={path} tabIndex={-1}>
      {items.length === 0 && !isAdding && (
        <EmptyState title={words.noTriggers} text={words.noTriggersText} drawing={null} />
      )}
      {items.map((item, at) => (
        <TriggerCard
          key={itemKey(item, at)}
          automation={id}
          item={item}
          path={`${path}.${itemKey(item, at)}`}
          place={at + 1}
          isFresh={item.id === fresh}
          onRemove={() => remove(at)}
        />
      ))}
      {isAdding && (
        <Slab className={css.card}>
          <Select
            label={words.type}
            autoFocus
            value=""
            placeholder={words.chooseType}
            onChange={add}
            options={types
              .filter((type) => type !== "webhook" || !hasWebhook)
              .map((type) => ({ value: type, label: words.types[type], detail: words.typeTexts[type] }))}
          />
        </Slab>
      )}
      {!isReadOnly && (
        <div>
          <Button ref={addButton} icon={Plus} onPress={() => setIsAdding(true)} data-add>
            {words.addTrigger}
          </Button>
        </div>
      )}
    </div>
  );
}
