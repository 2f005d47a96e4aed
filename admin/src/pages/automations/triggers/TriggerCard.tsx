// One trigger as a card: a webhook, a schedule or an event.

import type { JsonObject } from "@contract/json.ts";
import { CalendarClock, type LucideIcon, Radio, Trash2, Webhook, Zap } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { plainText } from "#fields/field-kind.ts";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import css from "#pages/automations/automations.module.css";
import { useStart } from "#session/start.ts";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Select } from "#ui/Select.tsx";
import { Slab } from "#ui/Slab.tsx";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";
import { ScheduleFields } from "./ScheduleFields.tsx";
import { WebhookFields } from "./WebhookFields.tsx";

interface Props {
  /** undefined while it is new. */
  automation: string | undefined;
  item: JsonObject;
  /** Where it lies in the object. */
  path: string;
  /** Counts from 1. */
  place: number;
  /** It was just added: its first control takes the focus. */
  isFresh: boolean;
  onRemove: () => void;
}

const icons: Record<string, LucideIcon> = { webhook: Webhook, schedule: CalendarClock, event: Zap };

export function TriggerCard({ automation, item, path, place, isFresh, onRemove }: Props) {
  const words = useWords(automationsWords);
  const { isReadOnly } = useFormScope();
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFresh) card.current?.querySelector<HTMLElement>("input")?.focus();
  }, [isFresh]);
  const type = plainText(item.type);
  const heading = (words.headings as Record<string, string>)[type] ?? words.unknownType(type);
  return (
    <Slab className={css.card} ref={card} role="group" aria-label={words.trigger(place)} data-property={path}>
      <div className={css.cardHead}>
        <h2 id={id} className={css.cardTitle}>
          <Icon of={icons[type] ?? Radio} size={20} />
          {heading}
        </h2>
        {!isReadOnly && (
          <IconButton label={words.removeTrigger(place)} icon={Trash2} variant="quiet" onPress={onRemove} />
        )}
      </div>
      {type === "schedule" && <ScheduleFields path={path} />}
      {type === "webhook" && <WebhookFields path={path} automation={automation} />}
      {type === "event" && <EventFields path={path} />}
    </Slab>
  );
}

function EventFields({ path }: { path: string }) {
  const words = useWords(automationsWords);
  const { collections } = useStart();
  const { store, isReadOnly } = useFormScope();
  const event = useFieldState(store, `${path}.event`);
  const collection = useFieldState(store, `${path}.collection`);
  const name = plainText(event.value);
  const isOfCollection = /^(object|collection|import)\./.test(name);
  return (
    <div className={css.pair}>
      <div data-property={`${path}.event`}>
        <Select
          label={words.event}
          value={name}
          onChange={(value) => store.set(`${path}.event`, value)}
          options={Object.entries(words.events).map(([value, detail]) => ({ value, label: value, detail }))}
          error={event.error}
          isReadOnly={isReadOnly}
        />
      </div>
      {(isOfCollection || plainText(collection.value) !== "") && (
        <div data-property={`${path}.collection`}>
          <Select
            label={words.collection}
            value={plainText(collection.value)}
            placeholder={words.allCollections}
            isClearable
            onChange={(value) => store.set(`${path}.collection`, value)}
            options={collections.map(({ id, name: label }) => ({ value: id, label }))}
            error={collection.error}
            isReadOnly={isReadOnly}
          />
        </div>
      )}
    </div>
  );
}
