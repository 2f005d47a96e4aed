// What an extension adds and may do, each in a sentence with its switch.

import type { Capability } from "@contract/extensions.ts";
import { useId } from "react";
import { Badge } from "#ui/Badge.tsx";
import layout from "#ui/layout.module.css";
import { Switch } from "#ui/Switch.tsx";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import css from "./extensions.module.css";

interface Props {
  capabilities: readonly Capability[];
  /** Names of those that go beyond what was approved. */
  added?: ReadonlySet<string>;
  isOn: (capability: Capability) => boolean;
  onSwitch: (capability: Capability, isOn: boolean) => void;
  isDisabled?: boolean;
  /** Of the two headings. */
  level: 2 | 3;
}

export function Capabilities({ capabilities, ...props }: Props) {
  const words = useWords(extensionsWords);
  const isPermission = ({ kind }: Capability) => kind === "permission";
  return (
    <>
      <Part
        {...props}
        title={words.adds}
        none={words.addsNothing}
        capabilities={capabilities.filter((one) => !isPermission(one))}
      />
      <Part {...props} title={words.may} none={words.mayNothing} capabilities={capabilities.filter(isPermission)} />
    </>
  );
}

interface PartProps extends Props {
  title: string;
  none: string;
}

function Part({ title, none, capabilities, added, isOn, onSwitch, isDisabled = false, level }: PartProps) {
  const words = useWords(extensionsWords);
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section className={css.part}>
      <Heading id={id} className={css.heading}>
        {title}
      </Heading>
      {capabilities.length === 0 ? (
        <p className={layout.quiet}>{none}</p>
      ) : (
        <ul className={css.capabilities} aria-labelledby={id}>
          {capabilities.map((one) => (
            <li key={one.name}>
              <Switch
                label={one.about}
                isSelected={isOn(one)}
                isDisabled={isDisabled}
                onChange={(next) => onSwitch(one, next)}
              />
              <span className={css.marks}>
                {added?.has(one.name) && <Badge tone="accent">{words.isNew}</Badge>}
                {one.sensitive && <Badge tone="warn">{words.sensitive}</Badge>}
                {one.kind !== "permission" && <span className={css.kind}>{words.kinds[one.kind]}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
