export interface State {
  label: string;
  value: string;
  error?: string;
  isReadOnly?: boolean;
}

/** Empty, filled, wrong and read-only. */
export function states(name: string, value: string, error: string): State[] {
  return [
    { label: `${name}, empty`, value: "" },
    { label: `${name}, filled`, value },
    { label: `${name}, wrong`, value, error },
    { label: `${name}, read-only`, value, isReadOnly: true },
  ];
}
