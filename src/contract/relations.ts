// References between objects, on the wire.

/** An object that points to the one that was asked about. */
export interface PointedFrom {
  collection: string;
  id: string;
  /** Dotted, through cards and decks: `author`, `ingredients.product`. */
  property: string;
}

export const referenceLimit = { default: 50, max: 100 } as const;
