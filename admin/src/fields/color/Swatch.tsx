import css from "./color.module.css";

export function Swatch({ color }: { color: string | undefined }) {
  return (
    <span
      className={css.swatch}
      style={color ? { backgroundColor: color } : undefined}
      data-none={!color || undefined}
    />
  );
}
