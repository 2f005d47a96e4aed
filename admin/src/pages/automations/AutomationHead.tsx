// The state of an automation: the switch, its last runs, the next one, and that failures have switched it off.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarClock, Power } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useBase, useFieldState, useFormScope } from "#form/form-context.ts";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { fetchObject } from "#pages/objects/open-object.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Switch } from "#ui/Switch.tsx";
import { toast } from "#ui/toast.ts";
import { automationsWords } from "#words/automations.ts";
import { commonWords } from "#words/common.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { automationsQuery, enableAutomation } from "./automation-calls.ts";
import css from "./automations.module.css";
import { LastRuns } from "./RunState.tsx";
import { automationsCollection } from "./tab-of.ts";

export function AutomationHead({ object }: { object: ShownObject | undefined }) {
  const words = useWords(automationsWords);
  const { store, isReadOnly } = useFormScope();
  const { enable, wanted } = useEnabling(object);
  const list = useQuery({ ...automationsQuery, enabled: object !== undefined });
  const state = list.data?.find(({ id }) => id === object?.id);
  const { value: enabled } = useFieldState(store, "enabled");
  const autoDisabled = useBase(store, "autoDisabled");
  const stored = useBase(store, "enabled");
  const isOff = autoDisabled === true && stored === false;
  const failures = useBase(store, "consecutiveFailures");
  useFollow(object?.id, state?.autoDisabled === true && !isOff);
  return (
    <div>
      <div className={css.head}>
        <Switch
          label={words.enabled}
          isSelected={wanted ?? enabled !== false}
          isDisabled={isReadOnly}
          onChange={(isOn) => void enable(isOn)}
        />
        {state && <LastRuns runs={state.lastRuns} />}
        {state?.next && (
          <span className={css.next}>
            <Icon of={CalendarClock} />
            <time dateTime={state.next}>{words.next(formatDateTime(state.next))}</time>
          </span>
        )}
        {state && state.running > 0 && <span className={css.quiet}>{words.runningCount(state.running)}</span>}
        {state && state.queued > 0 && <span className={css.quiet}>{words.queuedCount(state.queued)}</span>}
      </div>
      <div role="status" className={css.off}>
        {isOff && (
          <Notice
            tone="warn"
            action={
              !isReadOnly && (
                <Button icon={Power} onPress={() => void enable(true)}>
                  {words.enableAgain}
                </Button>
              )
            }
          >
            {words.autoDisabled(Number(failures))}
          </Notice>
        )}
      </div>
    </div>
  );
}

/** Stored at once, unlike what is typed; of a new automation it is part of the form. */
function useEnabling(object: ShownObject | undefined) {
  const words = useWords(automationsWords);
  const common = useWords(commonWords);
  const { store, field } = useFormScope();
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<boolean>();
  const enable = async (isOn: boolean) => {
    if (!object) return store.set("enabled", isOn);
    setWanted(isOn);
    try {
      field.takeOver("enabled", await enableAutomation(object.id, isOn));
      toast.good(isOn ? words.isOn(object.title) : words.isOff(object.title));
      for (const queryKey of [automationsQuery.queryKey, ["start"], ["objects", automationsCollection]])
        void queries.invalidateQueries({ queryKey });
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    setWanted(undefined);
  };
  return { enable, wanted };
}

/** Takes over that the service has switched it off while the page is open. */
function useFollow(id: string | undefined, isBehind: boolean): void {
  const { field } = useFormScope();
  const takeOver = useRef(field.takeOver);
  takeOver.current = field.takeOver;
  useEffect(() => {
    if (id === undefined || !isBehind) return;
    // It is asked for again with the next look at the state.
    fetchObject(automationsCollection, id).then(
      (stored) => takeOver.current("enabled", stored),
      () => undefined,
    );
  }, [id, isBehind]);
}
