// Where an uploaded file goes. Pure.

/** Where a file goes. */
export interface UploadTarget {
  collection: string;
  /** Undefined: the object is not stored yet, and the file waits for `release`. */
  object: string | undefined;
  /** Dotted: `image`, `card.image`, `deck.item-1.image`. */
  path: string;
  /** Of a depot; names separated by slashes. */
  folder?: string;
  /** Into the folder of a text, without changing the object; the answer is `{link}`. Otherwise it is the object. */
  isForEditor?: boolean;
  /** The form that the file was chosen in: the name that `release` and `drop` are called with. */
  form?: string;
}

export function isSameTarget(a: UploadTarget, b: UploadTarget): boolean {
  const isSameObject = a.object === undefined || b.object === undefined ? a.form === b.form : a.object === b.object;
  return isSameObject && a.collection === b.collection && a.path === b.path && !a.isForEditor === !b.isForEditor;
}
