// Writes the bytes of a result to its file. Synced, because the file is then published by a rename.

import { open } from "node:fs/promises";

export async function writeResult(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}
