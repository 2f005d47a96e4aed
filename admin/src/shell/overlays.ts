// Layers over the page that are opened from several places.

import { sharedValue } from "#session/shared-value.ts";

export const isPaletteOpen = sharedValue(false);
export const areShortcutsShown = sharedValue(false);
