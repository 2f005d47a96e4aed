// Finds definition files that somebody has edited: those that differ from what they were when they were last in step with
// the database. A file that is not JSON where it must be is left alone: an editor may be writing it.

import { type DefinitionHead, definitionHash } from "#storage/tables/nodes/definitions.ts";
import { type FileKind, type Kind, keyOf, listFiles } from "./kinds.ts";
import { readFileText } from "./mirror-files.ts";
import type { MirrorState } from "./mirror-state.ts";

export interface Edit {
  kind: Kind;
  files: FileKind;
  id: string;
  text: string;
  /** What it was made from; undefined: the file is new. */
  head: DefinitionHead | undefined;
}

/** How edits of one kind are checked and announced. */
export interface Taker {
  /** The form in which it is stored; throws when it is refused. */
  check(id: string, text: string): Promise<string>;
  /** The reason, when the error is a refusal. */
  refusal(error: unknown): string | undefined;
  /** Runs the storing, under the lock of the kind. */
  within?(work: () => Promise<boolean>): Promise<boolean>;
  /** It was stored. */
  taken?(id: string, edit: { isNew: boolean }): Promise<void>;
}

export async function findEdits(state: MirrorState): Promise<{ edits: Edit[]; gone: string[] }> {
  const edits: Edit[] = [];
  const gone: string[] = [];
  for (const kind of state.kinds) {
    if (!kind.files) continue;
    const files = await listFiles(kind.files);
    for (const [id, stamp] of files) {
      const edit = await findEdit(state, { kind, files: kind.files, id }, stamp);
      if (edit) edits.push(edit);
    }
    for (const [key, head] of state.heads) if (head.kind === kind.name && !files.has(head.id)) gone.push(key);
  }
  return { edits, gone };
}

async function findEdit(
  state: MirrorState,
  { kind, files, id }: Pick<Edit, "kind" | "files" | "id">,
  stamp: string,
): Promise<Edit | undefined> {
  const { marks, heads, stamps, broken, log } = state;
  const key = keyOf(kind.name, id);
  if (stamps.get(key) === stamp) return undefined;
  const text = await readFileText(files, id);
  if (text === undefined) return undefined;
  const head = heads.get(key);
  if (head && definitionHash(text) === head.hash) {
    marks.set(key, head.hash);
    broken.delete(key);
    stamps.set(key, stamp);
    return undefined;
  }
  if (!head && marks.left.has(key)) return undefined;
  const reason = files.isJson ? jsonProblem(text) : undefined;
  if (reason === undefined) return { kind, files, id, text, head };
  stamps.set(key, stamp);
  broken.set(key, reason);
  log.warn({ file: key, reason }, "a definition file cannot be read and is ignored");
  return undefined;
}

function jsonProblem(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? undefined : "It must contain a JSON object.";
  } catch {
    return "It is not valid JSON.";
  }
}
