import { lazy } from "react";

export const ReadChosen = lazy(() => import("./ChosenText.tsx").then((part) => ({ default: part.ChosenText })));
