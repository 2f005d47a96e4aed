import { useState } from "react";
import { NumberInput } from "#ui/NumberInput.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { Group } from "./Group.tsx";
import { states } from "./states.ts";

export function Texts() {
  return (
    <>
      <Group title="Text">
        {states("Text", "A path of stones", "This id is taken. Choose another one.").map((state) => (
          <Held key={state.label} of={TextInput} {...state} placeholder="What it is called" />
        ))}
        <Held
          of={TextInput}
          label="Required text"
          value="12 of 16 signs"
          isRequired
          description="Help stands under the label."
          extra="12/16"
        />
      </Group>
      <Group title="Number">
        {states("Number", "12.5", "At most 10.").map((state) => (
          <Held key={state.label} of={NumberInput} {...state} />
        ))}
      </Group>
      <Group title="Password">
        {states("Password", "correct horse", "At least 12 signs.").map((state) => (
          <Held key={state.label} of={PasswordInput} {...state} autoComplete="off" />
        ))}
      </Group>
      <Group title="Text area">
        {states("Text area", "One line.\nAnother line.", "Write something here.").map((state) => (
          <Held key={state.label} of={TextArea} {...state} />
        ))}
      </Group>
      <Group title="Search">
        <Held of={SearchInput} label="Search" value="" placeholder="Search" shortcut="/" />
        <Held of={SearchInput} label="Search again" value="stones" />
      </Group>
    </>
  );
}

interface Control {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Keeps the value, so that it can be tried. */
function Held<P extends Control>({ of: Part, ...props }: Omit<P, "onChange"> & { of: (props: P) => React.ReactNode }) {
  const [value, setValue] = useState((props as unknown as Control).value);
  const all = { ...props, value, onChange: setValue } as unknown as P & object;
  return <Part {...all} />;
}
