// Every part of ui/ and every field kind, empty, filled, wrong and read-only. Not linked; tests and screenshots run on it. Its
// words are for the makers of the admin, so they are not translated.

import { useTitle } from "#shell/page-title.ts";
import { Toasts } from "#ui/Toasts.tsx";
import { Actions } from "./Actions.tsx";
import { Choices } from "./Choices.tsx";
import { Layers } from "./Layers.tsx";
import css from "./SpecimenPage.module.css";
import { Surfaces } from "./Surfaces.tsx";
import { Texts } from "./Texts.tsx";
import { Tokens } from "./Tokens.tsx";

const parts = { tokens: Tokens, actions: Actions, texts: Texts, choices: Choices, layers: Layers, surfaces: Surfaces };

/** `?part=layers` shows one of them. */
export function SpecimenPage() {
  const asked = new URLSearchParams(location.search).get("part");
  useTitle("Specimen", "Cairn");
  const shown = Object.entries(parts).filter(([name]) => asked === null || name === asked);
  return (
    <main className={css.page}>
      <h1>Specimen</h1>
      {shown.map(([name, Part]) => (
        <Part key={name} />
      ))}
      <Toasts label="Notifications" />
    </main>
  );
}
