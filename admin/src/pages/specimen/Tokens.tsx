import { Group } from "./Group.tsx";
import css from "./SpecimenPage.module.css";

const colours = [
  "ground",
  "surface",
  "raised",
  "sunken",
  "line",
  "edge",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "accent-strong",
  "accent-soft",
  "good",
  "good-soft",
  "warn",
  "warn-soft",
  "bad",
  "bad-soft",
  "info",
  "info-soft",
];

const sizes = ["h1", "h2", "h3", "reading", "base", "cell", "caption"];

export function Tokens() {
  return (
    <Group title="Colours and type">
      <div className={css.swatches}>
        {colours.map((name) => (
          <div key={name} className={css.swatch}>
            <div className={css.colour} style={{ background: `var(--${name})` }} />
            {name}
          </div>
        ))}
      </div>
      <div className={css.type}>
        {sizes.map((name) => (
          <p key={name} style={{ font: `var(--text-${name})` }}>
            {name}: a path of 1,204 stones
          </p>
        ))}
      </div>
    </Group>
  );
}
