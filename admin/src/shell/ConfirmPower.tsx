// Listens for requests that wait for the password, and asks. The question itself is fetched when it is needed.

import { useEffect } from "react";
import { powerQuestion, watchPowerChanges } from "#session/power-question.ts";
import { loadedLater } from "./loaded-later.tsx";

const PowerQuestion = loadedLater(() => import("./PowerQuestion.tsx").then((module) => module.PowerQuestion));

export function ConfirmPower() {
  const question = powerQuestion.use();
  useEffect(watchPowerChanges, []);
  return question && <PowerQuestion answer={question.answer} refuse={question.refuse} />;
}
