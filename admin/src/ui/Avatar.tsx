// The initials of a person on a pebble. The name stands beside it, or is its own name.

import css from "./Avatar.module.css";

export function Avatar({ name, isNamed = false }: { name: string; isNamed?: boolean }) {
  const drawn = (
    <span className={css.avatar} aria-hidden="true">
      {initials(name)}
    </span>
  );
  if (!isNamed) return drawn;
  return (
    <span role="img" aria-label={name} data-tip={name}>
      {drawn}
    </span>
  );
}

function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s@._-]+/)
    .filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}
