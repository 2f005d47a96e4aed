// What a group grants: a row for each thing, a tick for each operation, and beneath which collections and schemas it is about.

import type { Permissions } from "@contract/access-groups.ts";
import { operations } from "@contract/collections.ts";
import { useId } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import { Slab } from "#ui/Slab.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { useWords } from "#words/language.ts";
import css from "./access-groups.module.css";
import {
  isTicked,
  type Resource,
  reachesNothing,
  resources,
  type Thing,
  thingsOf,
  tick,
  ticksOf,
} from "./group-rights.ts";
import { useGroupNames } from "./use-group-names.ts";

interface Props {
  granted: Permissions;
  onChange: (parts: Partial<Permissions>) => void;
}

export function PermissionMatrix({ granted, onChange }: Props) {
  const words = useWords(accessGroupsWords);
  const names = useGroupNames();
  const heading = useId();
  const columns: RecordColumn<Thing>[] = [
    {
      id: "thing",
      label: words.thing,
      isLabelHidden: true,
      cell: (thing) => (
        <span className={css.thing}>
          <span className={thing.kind === "all" ? css.strong : css.name}>{names.thing(thing)}</span>
          {thing.kind === "resource" && <span className={css.quiet}>{words.resourceHelp[thing.name]}</span>}
          {thing.kind === "switch" && words.switchHelp[thing.name] !== undefined && (
            <span className={css.quiet}>{words.switchHelp[thing.name]}</span>
          )}
        </span>
      ),
    },
    ...operations.map(
      (operation): RecordColumn<Thing> => ({
        id: operation,
        label: words.operations[operation],
        width: "6rem",
        cell: (thing) =>
          ticksOf(thing).includes(operation) && (
            <Checkbox
              label={words.right(words.operations[operation], names.thing(thing))}
              isLabelHidden
              isSelected={isTicked(granted, thing, operation)}
              isIndeterminate={
                thing.kind === "all" &&
                !isTicked(granted, thing, operation) &&
                resources.some((name) => granted[name].operations.includes(operation))
              }
              onChange={(isOn) => onChange(tick(granted, thing, { operation, isOn }))}
            />
          ),
      }),
    ),
  ];
  return (
    <section aria-labelledby={heading} className={css.section}>
      <div>
        <h2 id={heading} className={css.heading}>
          {words.permissions}
        </h2>
        <p className={css.text}>{words.permissionsText}</p>
      </div>
      <div className={css.matrix}>
        <RecordGrid
          label={words.permissions}
          columns={columns}
          rows={thingsOf(granted)}
          idOf={(thing) => (thing.kind === "all" ? "all" : `${thing.kind} ${thing.name}`)}
          nameOf={names.thing}
        />
      </div>
      <Slab className={css.slab}>
        {resources.map(
          (name) =>
            (name === "collections" || granted[name].operations.length > 0) && (
              <Reach key={name} resource={name} granted={granted} onChange={onChange} />
            ),
        )}
        <p className={css.quiet}>{words.forAdmins}</p>
      </Slab>
    </section>
  );
}

/** Stands for all of them in the list of ticks. */
const every = "*";

function Reach({ resource, granted, onChange }: Props & { resource: Resource }) {
  const words = useWords(accessGroupsWords);
  const { items } = useGroupNames();
  const part = granted[resource];
  const { all, allowed } = part;
  const known = items[resource].map(({ value }) => value);
  const label = words.itemOf[resource];
  const options = [
    { value: every, label: words.allOf[resource] },
    ...(all
      ? []
      : [
          ...items[resource].map((item) => ({ value: item.value, label: label(item.label) })),
          // Deleted since, or for administrators alone.
          ...allowed.filter((id) => !known.includes(id)).map((id) => ({ value: id, label: label(id), isGone: true })),
        ]),
  ];
  const choose = (value: string[]) => {
    const isAll = value.includes(every);
    const chosen = value.filter((id) => id !== every);
    onChange({ [resource]: { ...part, all: isAll, allowed: isAll || all ? allowed : chosen } });
  };
  return (
    <CheckboxGroup
      label={words.which[resource]}
      value={all ? [every] : allowed}
      onChange={choose}
      options={options}
      columns="14rem"
      description={reachesNothing(part) ? words.reachesNothing : undefined}
    />
  );
}
