// On or off, at once. A native checkbox with the role of a switch.

import { type CheckboxProps, Tick } from "./Checkbox.tsx";
import css from "./Switch.module.css";

export type SwitchProps = Omit<CheckboxProps, "isIndeterminate">;

export function Switch(props: SwitchProps) {
  return <Tick {...props} role="switch" look={css.switch} />;
}
