// The differences as a tree: a group for each kind, in it the items with their state, and at the end collections to seed from.

import type { Comparison, SyncDirection } from "@contract/transfer.ts";
import { ChevronDown, ChevronRight, TriangleAlert } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useStops } from "#grid/records/useStops.ts";
import { roles } from "#grid/roles.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { commonWords } from "#words/common.ts";
import { formatDay } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { syncWords } from "#words/sync.ts";
import { DifferenceDialog } from "./DifferenceDialog.tsx";
import css from "./sync.module.css";
import { canSeed, type Group, isOffered, isOlder, keyOf, nounOf, receiverOf } from "./sync-items.ts";
import { useSeedComparison } from "./use-seeds.ts";

interface Props {
  direction: SyncDirection;
  groups: readonly Group[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  seeds: ReadonlySet<string>;
  onSeeds: (seeds: ReadonlySet<string>) => void;
  overwrite: boolean;
  onOverwrite: (overwrite: boolean) => void;
}

export function DifferenceTree(props: Props) {
  const { direction, groups, chosen, onChoose } = props;
  const words = useWords(syncWords);
  const tree = useRef<HTMLTableElement>(null);
  const press = useStops(tree);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set(["seeds"]));
  const [shown, setShown] = useState<Comparison>();
  const { collections } = useStart();
  const sources = direction === "push" ? collections.filter(({ id }) => canSeed(id)) : [];
  if (groups.length === 0 && sources.length === 0) return null;
  const toggle = (name: string) => setClosed(withChange(closed, [name], !closed.has(name)));
  return (
    <div className={css.frame}>
      <table {...roles.tree} aria-label={words.differences} ref={tree} className={css.tree} onKeyDown={press}>
        <thead {...roles.rowgroup}>
          <tr {...roles.row} className={css.head}>
            <th {...roles.columnheader} className={css.box}>
              <VisuallyHidden>{words.select}</VisuallyHidden>
            </th>
            <th {...roles.columnheader}>{words.item}</th>
            <th {...roles.columnheader}>{words.state}</th>
            <th {...roles.columnheader}>
              <VisuallyHidden>{words.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody {...roles.rowgroup}>
          {groups.map(({ category, items }) => {
            const offered = items.filter(isOffered).map(keyOf);
            return (
              <Branch
                key={category}
                name={words.groups[category]}
                isOpen={!closed.has(category)}
                onToggle={() => toggle(category)}
                all={offered}
                chosen={chosen}
                onChoose={onChoose}
              >
                {items.map((item) => (
                  <ItemRow
                    key={keyOf(item)}
                    item={item}
                    direction={direction}
                    isChosen={chosen.has(keyOf(item))}
                    onChoose={(isChosen) => onChoose(withChange(chosen, [keyOf(item)], isChosen))}
                    onShow={() => setShown(item)}
                  />
                ))}
              </Branch>
            );
          })}
          {sources.length > 0 && (
            <Branch
              name={words.seeds}
              isOpen={!closed.has("seeds")}
              onToggle={() => toggle("seeds")}
              all={[]}
              chosen={chosen}
              onChoose={onChoose}
              state={
                <Checkbox label={words.overwriteExisting} isSelected={props.overwrite} onChange={props.onOverwrite} />
              }
            >
              {sources.map((source) => (
                <SeedRow
                  key={source.id}
                  {...source}
                  isChosen={props.seeds.has(source.id)}
                  onChoose={(isChosen) => props.onSeeds(withChange(props.seeds, [source.id], isChosen))}
                />
              ))}
            </Branch>
          )}
        </tbody>
      </table>
      {shown && <DifferenceDialog item={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

interface BranchProps extends Pick<Props, "chosen" | "onChoose"> {
  name: string;
  isOpen: boolean;
  onToggle: () => void;
  /** Keys of what can be chosen in it. */
  all: readonly string[];
  state?: ReactNode;
  children: ReactNode;
}

function Branch({ name, isOpen, onToggle, all, chosen, onChoose, state, children }: BranchProps) {
  const words = useWords(syncWords);
  const count = all.filter((key) => chosen.has(key)).length;
  return (
    <>
      <tr {...roles.row} data-row={name} aria-level={1} aria-expanded={isOpen} aria-label={name} className={css.group}>
        <td {...roles.gridcell} className={css.box}>
          {all.length > 0 && (
            <Checkbox
              label={words.selectGroup(name)}
              isLabelHidden
              isSelected={count === all.length}
              isIndeterminate={count > 0 && count < all.length}
              onChange={() => onChoose(withChange(chosen, all, count < all.length))}
            />
          )}
        </td>
        <td {...roles.gridcell}>
          <span className={css.groupName}>
            <IconButton
              label={words.toggle(name)}
              icon={isOpen ? ChevronDown : ChevronRight}
              isSmall
              aria-expanded={isOpen}
              onPress={onToggle}
            />
            {name}
          </span>
        </td>
        <td {...roles.gridcell} colSpan={2}>
          {state}
        </td>
      </tr>
      {isOpen && children}
    </>
  );
}

interface ItemProps {
  item: Comparison;
  direction: SyncDirection;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onShow: () => void;
}

const signs = { differs: "~", new: "+", identical: "=", "receiver-only": "·" } as const;

function ItemRow({ item, direction, isChosen, onChoose, onShow }: ItemProps) {
  const words = useWords(syncWords);
  const { id, status } = item;
  const [older, newer] = direction === "push" ? (["local", "remote"] as const) : (["remote", "local"] as const);
  return (
    <tr
      {...roles.row}
      data-row={keyOf(item)}
      aria-level={2}
      aria-label={`${words.nouns[nounOf(item)]} ${id}`}
      aria-selected={isChosen}
      className={isChosen ? css.chosen : undefined}
    >
      <td {...roles.gridcell} className={css.box}>
        {isOffered(item) && (
          <Checkbox
            label={words.selectItem(words.nouns[nounOf(item)], id)}
            isLabelHidden
            isSelected={isChosen}
            onChange={onChoose}
          />
        )}
      </td>
      <td {...roles.gridcell} className={css.item}>
        <span className={css.sign} aria-hidden="true">
          {status ? signs[status] : "?"}
        </span>
        <span className={css.id}>{id}</span>
      </td>
      <td {...roles.gridcell} className={css.state}>
        <StateText item={item} direction={direction} />
        {isOlder(item, direction) && (
          <span className={css.warning}>
            <Icon of={TriangleAlert} />
            {words.warning(words.sides[older], words.sides[newer])}
          </span>
        )}
      </td>
      <td {...roles.gridcell} className={css.show}>
        {status === "differs" && (
          <Button variant="quiet" onPress={onShow}>
            {words.showDifference}
          </Button>
        )}
      </td>
    </tr>
  );
}

function StateText({ item, direction }: Pick<ItemProps, "item" | "direction">) {
  const words = useWords(syncWords);
  const { status, newer, isLikely } = item;
  const receiver = words.sides[receiverOf(direction)];
  if (status === undefined) return words.unknown;
  if (status === "new") return words.isNew(receiver);
  if (status === "identical") return words.identical;
  if (status === "receiver-only") return words.receiverOnly(receiver);
  if (newer === undefined) return words.differs;
  const time = item[newer];
  const day = time === undefined ? "" : formatDay(time);
  return words.differs + (isLikely ? words.likelyNewer : words.newer)(words.sides[newer], day);
}

interface SeedProps {
  id: string;
  name: string;
  count: number;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function SeedRow({ id, name, count, isChosen, onChoose }: SeedProps) {
  const words = useWords(syncWords);
  const common = useWords(commonWords);
  const { created, existing, same, isReady } = useSeedComparison(id, isChosen);
  return (
    <tr
      {...roles.row}
      data-row={`seed/${id}`}
      aria-level={2}
      aria-label={words.objectsOf(id)}
      aria-selected={isChosen}
      className={isChosen ? css.chosen : undefined}
    >
      <td {...roles.gridcell} className={css.box}>
        <Checkbox label={words.selectSeeds(id)} isLabelHidden isSelected={isChosen} onChange={onChoose} />
      </td>
      <td {...roles.gridcell} className={css.item}>
        <span className={css.sign} aria-hidden="true" />
        <span className={css.id}>{id}</span>
        {name !== id && <span className={css.quiet}>{name}</span>}
      </td>
      <td {...roles.gridcell} className={css.state} colSpan={2}>
        {common.objects(count)}
        {isReady && <span className={css.quiet}>{words.seedState(created, existing, same)}</span>}
      </td>
    </tr>
  );
}

function withChange(set: ReadonlySet<string>, keys: readonly string[], isIn: boolean): Set<string> {
  const next = new Set(set);
  for (const key of keys) {
    if (isIn) next.add(key);
    else next.delete(key);
  }
  return next;
}
