// Files and folders of a depot that are being dragged. They stay in their depot: another one does not take them.

const type = "application/x-cairn-depot";

/** The browser shows the data of a drag only when it ends. */
let source = "";

/** `depot`: a name that no other depot of the page has. */
export function carry(transfer: DataTransfer, depot: string, paths: readonly string[]): void {
  source = depot;
  transfer.setData(type, JSON.stringify(paths));
  transfer.effectAllowed = "move";
}

export function carries({ types }: DataTransfer, depot: string): boolean {
  return source === depot && types.includes(type);
}

export function carried(transfer: DataTransfer): string[] {
  return JSON.parse(transfer.getData(type) || "[]") as string[];
}
