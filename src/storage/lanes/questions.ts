// How a question is answered, on whichever connection: which statements run, and what becomes of their rows.
// Used by the embedded engine's threads too, so it knows nothing of the app.

import { CairnError } from "#base/errors.ts";
import type { Answer, JoinedDocuments, Question, Row, Statement, Wanted } from "#storage/port.ts";
import { hasLongText } from "#storage/query/order.ts";

/** An answer of more bytes is refused. */
const maxAnswerBytes = 32 * 1024 * 1024;

export class TooLarge extends CairnError {
  constructor() {
    super("too-large", "The answer is larger than 32 MB. Ask for fewer objects at a time, or take a report.");
  }
}

/** The bytes of these rows and of those before them. */
export function checkSize(rows: Iterable<Row>, before = 0): number {
  let bytes = before;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      bytes += typeof value === "string" ? value.length : 8;
    }
    if (bytes > maxAnswerBytes) throw new TooLarge();
  }
  return bytes;
}

const encoder = new TextEncoder();

/** Answers a question by statements that are run at once. */
export function answerQuestion(
  question: Pick<Question, "wanted" | "documents">,
  run: (statement: Statement) => Row[],
): Answer {
  const steps = answering(question);
  for (let step = steps.next(); ; step = steps.next(run(step.value))) if (step.done) return step.value;
}

/** Answers a question by statements that are waited for. */
export async function answerLater(question: Question, run: (statement: Statement) => Promise<Row[]>): Promise<Answer> {
  const steps = answering(question);
  for (let step = steps.next(); ; step = steps.next(await run(step.value))) if (step.done) return step.value;
}

/** Yields each statement to run, takes its rows. */
function* answering(question: Pick<Question, "wanted" | "documents">): Generator<Statement, Answer, Row[]> {
  const rows: Row[][] = [];
  for (const wanted of question.wanted) rows.push(yield* finding(wanted));
  const documents = question.documents && joinDocuments(rows[0] ?? [], question.documents);
  return documents ? { rows: [[], ...rows.slice(1)], documents } : { rows };
}

function* finding({ attempts, limit, suffices }: Wanted): Generator<Statement, Row[], Row[]> {
  let rows: Row[] = [];
  for (const attempt of attempts) {
    rows = [];
    for (const statement of attempt) {
      rows.push(...(yield statement));
      if (rows.length >= limit) break;
    }
    if (rows.length > limit) rows.length = limit;
    if (suffices === "full" ? rows.length === limit : rows.every(isPlaced)) break;
  }
  return rows;
}

/** By its sort values, which are named `k` and a number. */
function isPlaced(row: Row): boolean {
  for (let at = 0; `k${at}` in row; at++) if (hasLongText([row[`k${at}`]])) return false;
  return true;
}

function joinDocuments(found: Row[], { rev, most }: NonNullable<Question["documents"]>): JoinedDocuments | undefined {
  const rows = found.slice(0, most);
  if (!rows.every((row) => row.schemaRev === rev && isWhole(String(row.doc)))) return undefined;
  const { doc: _, ...last } = rows.at(-1) ?? {};
  return {
    // In memory of its own, so that a thread can hand it over.
    text: encoder.encode(`[${rows.map(({ doc }) => doc).join(",")}]`),
    count: rows.length,
    hasMore: found.length > rows.length,
    last: rows.length > 0 ? last : undefined,
  };
}

/** Not parsed for that: what was cut off or wiped out shows at the ends. */
export function isWhole(text: string): boolean {
  return text.startsWith("{") && text.endsWith("}");
}
