// How a question is answered, on whichever connection: which statements run, and what becomes of their rows.
// Used by the embedded engine's threads too, so it knows nothing of the app.

import { CairnError } from "#base/errors.ts";
import type { Answer, JoinedDocuments, Question, Row, Statement, Wanted } from "#storage/port.ts";
import { joinDocuments, joinUnfolded, maxAnswerBytes, unfold } from "./joined.ts";
import { isLongText } from "./order.ts";

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

type Steps<A> = Generator<Statement, A, Row[]>;

interface Found {
  rows?: Row[];
  documents?: JoinedDocuments | undefined;
}

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
function* answering({ wanted, documents }: Pick<Question, "wanted" | "documents">): Steps<Answer> {
  const [first, ...others] = wanted;
  const found = documents && first ? yield* findingDocuments(first, documents) : {};
  const rows = [found.documents || !first ? [] : (found.rows ?? (yield* finding(first)))];
  for (const other of others) rows.push(yield* finding(other));
  return found.documents ? { rows, documents: found.documents } : { rows };
}

/** Joined by the database where it can; then here; else as rows. */
function* findingDocuments(wanted: Wanted, asked: NonNullable<Question["documents"]>): Steps<Found> {
  if (wanted.attempts[0]?.[0]?.joined !== undefined) {
    const documents = joinUnfolded(yield* finding(wanted, true), asked);
    if (documents) return { documents };
  }
  const rows = yield* finding(wanted);
  return { rows, documents: joinDocuments(rows, asked) };
}

function* finding({ attempts, limit, suffices }: Wanted, isJoined = false): Steps<Row[]> {
  let rows: Row[] = [];
  for (const attempt of attempts) {
    rows = [];
    for (const statement of attempt) {
      const { joined = "", params } = statement;
      rows.push(...(isJoined ? unfold(yield { sql: joined, params }) : yield statement));
      if (rows.length >= limit) break;
    }
    if (rows.length > limit) rows.length = limit;
    if (suffices === "full" ? rows.length === limit : rows.every(isPlaced)) break;
  }
  return rows;
}

/** By its sort values, which are named `k` and a number. */
function isPlaced(row: Row): boolean {
  for (const name in row) if (name.startsWith("k") && isLongText(row[name])) return false;
  return true;
}
