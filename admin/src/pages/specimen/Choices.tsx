import { LayoutGrid, Monitor, Moon, Sun, Table } from "lucide-react";
import { useState } from "react";
import { Checkbox } from "#ui/Checkbox.tsx";
import { DateInput } from "#ui/DateInput.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Select } from "#ui/Select.tsx";
import { Switch } from "#ui/Switch.tsx";
import { Group } from "./Group.tsx";
import { type State, states } from "./states.ts";

const stones = ["Basalt", "Chalk", "Granite", "Limestone", "Marble", "Sandstone", "Slate"].map((label) => ({
  value: label.toLowerCase(),
  label,
}));

const places = [
  { value: "ada", label: "Ada", detail: "ada", group: "Editors" },
  { value: "mia", label: "Mia", detail: "mia", group: "Editors" },
  { value: "tom", label: "Tom", detail: "tom", group: "Viewers" },
];

export function Choices() {
  const [theme, setTheme] = useState("system");
  const [start, setStart] = useState("empty");
  const [layout, setLayout] = useState("table");
  const [isOn, setIsOn] = useState(true);
  const [isTicked, setIsTicked] = useState(false);
  return (
    <>
      <Group title="Select">
        {states("Select", "granite", "This stone is not allowed here.").map((state) => (
          <HeldSelect key={state.label} {...state} />
        ))}
        <HeldSelect label="Select, clearable" value="slate" isClearable />
        <HeldSelect label="Select, grouped" value="mia" options={places} />
        <HeldSelect label="Select, free text" value="Gneiss" allowsCustomValue />
        <HeldSelect label="Select, searched" value="" isSearched />
        <HeldSelect label="Select, value gone" value="flint" />
      </Group>
      <Group title="Date">
        {states("Date", "2027-03-09", "This day is in the past.").map((state) => (
          <HeldDate key={state.label} {...state} />
        ))}
      </Group>
      <Group title="Checkbox and switch">
        <Checkbox label="Not ticked" isSelected={isTicked} onChange={setIsTicked} />
        <Checkbox label="Ticked" isSelected={isOn} onChange={setIsOn} />
        <Checkbox label="Some of it" isSelected={false} isIndeterminate onChange={() => {}} />
        <Checkbox label="Disabled" isSelected isDisabled onChange={() => {}} />
        <Checkbox
          label="With help"
          isSelected={isTicked}
          onChange={setIsTicked}
          description="Objects without a value are shown too."
        />
        <Checkbox label="Wrong" isSelected={isTicked} onChange={setIsTicked} error="This has to be ticked." />
        <Switch label="Switched on" isSelected={isOn} onChange={setIsOn} />
        <Switch label="Switched off" isSelected={isTicked} onChange={setIsTicked} />
        <Switch label="Switch, disabled" isSelected isDisabled onChange={() => {}} />
      </Group>
      <Group title="Radios">
        <RadioGroup
          label="Starter content"
          value={start}
          onChange={setStart}
          options={[
            { value: "empty", label: "Start empty", detail: "You describe your content first." },
            { value: "demo", label: "Load the demo site", detail: "A small blog to look around in." },
          ]}
        />
        <RadioGroup
          label="Radios, wrong"
          value=""
          onChange={() => {}}
          error="Choose one."
          isRequired
          options={[
            { value: "a", label: "One" },
            { value: "b", label: "Two" },
          ]}
        />
        <RadioGroup
          label="Theme"
          look="segments"
          value={theme}
          onChange={setTheme}
          options={[
            { value: "light", label: "Light", icon: Sun },
            { value: "dark", label: "Dark", icon: Moon },
            { value: "system", label: "System", icon: Monitor },
          ]}
        />
        <RadioGroup
          label="Layout"
          look="segments"
          isIconOnly
          value={layout}
          onChange={setLayout}
          options={[
            { value: "table", label: "Table", icon: Table },
            { value: "cards", label: "Cards", icon: LayoutGrid },
          ]}
        />
      </Group>
    </>
  );
}

function HeldDate(state: State) {
  const [value, setValue] = useState(state.value);
  return <DateInput {...state} value={value} onChange={setValue} extra={value} />;
}

interface HeldProps extends Partial<State> {
  label: string;
  value: string;
  isClearable?: boolean;
  allowsCustomValue?: boolean;
  /** Finds its options as a server would. */
  isSearched?: boolean;
  options?: { value: string; label: string }[];
}

function HeldSelect({ isSearched, options = stones, ...props }: HeldProps) {
  const [value, setValue] = useState(props.value);
  const [found, setFound] = useState(options);
  const search = (text: string) =>
    setFound(options.filter(({ label }) => label.toLowerCase().startsWith(text.toLowerCase())));
  return (
    <Select
      {...props}
      value={value}
      onChange={setValue}
      options={isSearched ? found : options}
      onSearch={isSearched ? search : undefined}
    />
  );
}
