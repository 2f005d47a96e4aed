// What was dropped on the page: files, and folders with all that is in them.

export interface DroppedFile {
  file: File;
  /** Of the folder it came in; empty: it was dropped by itself. */
  folder: string;
}

export function hasFiles({ types }: DataTransfer): boolean {
  return types.includes("Files");
}

/** To be called in the event itself: afterwards the browser forgets what was dropped. */
export function readDropped(transfer: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...transfer.items].map((item) => ("webkitGetAsEntry" in item ? item.webkitGetAsEntry() : null));
  const files = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(files.map((file) => ({ file, folder: "" })));
  return Promise.all(entries.filter((entry) => entry !== null).map((entry) => readEntry(entry, ""))).then((all) =>
    all.flat(),
  );
}

async function readEntry(entry: FileSystemEntry, folder: string): Promise<DroppedFile[]> {
  // What the system keeps for itself.
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, folder }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const below = folder === "" ? entry.name : `${folder}/${entry.name}`;
  const found: DroppedFile[] = [];
  for (;;) {
    // A hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...(await readEntry(inner, below)));
  }
}
