// Changes of a stored object. `changeObject` is one change in a transaction of its own; `changeObjectIn` is the part inside a
// transaction, which imports and sync share with it: change, limit, build, judge, uniqueness, rules, row.

import { seesDrafts } from "#content/collections/open-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { compareChecked, findGuard, type Guard, untilCurrent, withChanges } from "#content/extension-guard.ts";
import { removeFiles } from "#content/file-removal.ts";
import { keepsFiles } from "#content/history/attic.ts";
import { changedNames, openRecorder, recordUpdate } from "#content/history/record.ts";
import { checkReferences } from "#content/relations/check-references.ts";
import { noteChanged } from "#content/relations/store-references.ts";
import {
  applyRules,
  auditWrite,
  finishChange,
  limitChange,
  openChange,
  sentProblem,
  watchedChanges,
} from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { type Built, buildDocument } from "#schemas/build.ts";
import { moveFormerSecrets } from "#schemas/former-names.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { changedEntry, indexEntry } from "#schemas/index-entry.ts";
import { relationsOf } from "#schemas/relations.ts";
import type { Tx } from "#storage/port.ts";
import { lockCounters } from "#storage/tables/collections.ts";
import type { LockedObject, ObjectSecrets } from "#storage/tables/object-row.ts";
import { updateObject } from "#storage/tables/object-writes.ts";
import { tryOut } from "#storage/try-out.ts";
import { withLaterProblems, withStoredProblems } from "./all-problems.ts";
import type { Change, ChangePlan, ChangeStep, ObjectTarget } from "./change.ts";
import { droppedFiles, removeDropped } from "./dropped-files.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import { hashPasswords, skipHashing } from "./password-hashes.ts";
import { checkIfMatch, isDraft, lockExisting, noObject, replacedDocument, storedDocument } from "./stored-document.ts";
import { checkUnique, needsCollectionLock } from "./unique.ts";
import { answerOf, type ChangeWork, finishWrites, objectRow, sentTime, type Written } from "./write-work.ts";

/** The stored state is read under lock, so changes at the same moment follow each other. */
export async function changeObject(ctx: Context, target: ObjectTarget, plan: ChangePlan): Promise<ObjectAnswer> {
  const { collection, id, ifMatch } = target;
  const key = { collection: collection.id, id };
  const { sent, asides } = plan;
  const rules = await openChange(ctx, { collection, id, sent, asides });
  const refused = await sentProblem(ctx, collection.id, sent);
  const hashes = refused ? skipHashing(collection.schema, sent) : await hashPasswords(collection.schema, sent);
  const recorder = await openRecorder(ctx, [collection]);
  const change = async (tx: Tx, checked?: Checked) => {
    const row = await lockExisting(tx, collection.id, id);
    if (!seesDrafts(ctx, "update", collection.id) && isDraft(row)) noObject(collection.id, id);
    checkIfMatch(ifMatch, row, collection.schema);
    compareChecked(row, checked?.rev);
    await plan.within?.(tx, row);
    const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes, rules, recorder };
    const changed = await changeObjectIn(work, tx, row, checked ? checked.step : plan);
    await finishWrites(tx, [changed]);
    return changed;
  };
  if (refused) throw await withLaterProblems(refused, () => tryOut(ctx.storage, change));
  const guard = await findGuard(ctx, collection, "update");
  const write = async () => {
    const checked = guard && (await checkChange(ctx, { guard, plan, id }, change));
    return plan.isTrial
      ? tryOut(ctx.storage, (tx) => change(tx, checked))
      : ctx.storage.write((tx) => change(tx, checked));
  };
  const written = await (guard ? untilCurrent(write) : write());
  if (plan.isTrial) return answerOf(written);
  followWrite(ctx, collection);
  if (written.watched.length > 0) auditWrite(ctx, "changed", key, { changed: [...written.watched] });
  const meta = finishChange(rules);
  await (plan.hasFilesLock ? removeFiles : removeDropped)(ctx, key, written.dropped);
  return meta === undefined ? answerOf(written) : { ...answerOf(written), meta };
}

/** What extensions have seen of a change. */
interface Checked {
  /** Of the stored object. */
  rev: number;
  /** With what they add to it. */
  step: ChangeStep;
}

/** Extensions see the object as it would be stored, after the schema and all rules have accepted it. */
async function checkChange(
  { storage }: Context,
  { guard, plan, id }: { guard: Guard; plan: ChangePlan; id: string },
  change: (tx: Tx) => Promise<Written>,
): Promise<Checked> {
  const { before = null, text, rev } = await tryOut(storage, change);
  const added = await guard.check({ id, before, after: JSON.parse(text) as JsonObject });
  return { rev: rev - 1, step: withAdded(plan, added) };
}

/** The step with what extensions add to it. */
export function withAdded(step: ChangeStep, added: JsonObject): ChangeStep {
  if (Object.keys(added).length === 0) return step;
  return { ...step, change: (current, schema) => withChanges(step.change(current, schema), added) };
}

interface ComparedStep extends ChangeStep {
  /** Whether the change leaves the object as it is: then nothing is stored. */
  isSame(before: JsonObject, after: JsonObject): boolean;
}

/**
 * One change inside a transaction that has locked the row. Neither counted nor announced: that is `finishWrites`.
 * Undefined: nothing would change.
 */
export function changeObjectIn(
  work: ChangeWork,
  tx: Tx,
  row: LockedObject,
  step: ComparedStep,
): Promise<Written | undefined>;
export function changeObjectIn(work: ChangeWork, tx: Tx, row: LockedObject, step: ChangeStep): Promise<Written>;
export async function changeObjectIn(
  work: ChangeWork,
  tx: Tx,
  row: LockedObject,
  step: ChangeStep & Partial<ComparedStep>,
): Promise<Written | undefined> {
  const { ctx, collection, isTrusted, hashes } = work;
  const { schema } = collection;
  const time = nextModified(row.modified, work.now);
  const current = (step.isWhole ? replacedDocument : storedDocument)(ctx, schema, row);
  const before = { document: current, secrets: moveFormerSecrets(schema, row.secrets) };
  const change = limitChange(work, step.change(current, schema), current);
  const { input, changed, isOwn, isReturn, moved } = change;
  const needsLock = needsCollectionLock(ctx, collection);
  const counters = work.counters ?? (needsLock ? await lockCounters(tx, collection.id) : undefined);
  const build = () =>
    buildDocument(
      schema,
      { ...input, id: row.id },
      {
        now: time,
        created: sentTime(work, step.sent, "created") ?? row.created,
        modified: sentTime(work, step.sent, "modified") ?? time,
        isTrusted,
        counter: counters?.count ?? 0,
        htmlclean: htmlclean(ctx),
        hashes,
        secrets: secretsFor(before.secrets, change),
        files: isOwn ? input : current,
        ...(changed && { changed }),
      },
    );
  const { document, secrets } = await namingAll(work, tx, current, build);
  if (step.isSame?.(current, document)) return undefined;
  const after = { document, secrets };
  for (const rule of work.rules) rule.judge?.({ collection, id: row.id, before, after, moved, isOwn, isReturn });
  const checking = checkReferences(work, tx, { document, before: current });
  if (checking !== undefined) await checking;
  if (needsLock) {
    await checkUnique(ctx, tx, collection, document);
    await applyRules(ctx, tx, collection.id, { actor: ctx.actor, before, after, now: time });
  }
  const isSameSchema = changed !== undefined && row.schemaRev === schema.rev;
  const entry = isSameSchema ? changedEntry(schema, current, document) : indexEntry(schema, document);
  const write = { ...objectRow(collection, document, secrets), entry };
  const names = changedNames(current, document);
  const record = recordUpdate(work, { before, after, names, time });
  const touched = row.schemaRev === schema.rev ? new Set(["modified", ...names]) : undefined;
  await updateObject(tx, row, { write, record, names: touched });
  if (relationsOf(schema).length > 0)
    await noteChanged(tx, collection, document, row.schemaRev === schema.rev ? current : undefined);
  return {
    work,
    done: "updated",
    id: row.id,
    rid: row.rid,
    rev: row.rev + 1,
    text: write.doc,
    time,
    changed,
    before: current,
    dropped: droppedFiles(schema, { before, after: document, rid: keepsFiles(ctx, collection) ? row.rid : undefined }),
    watched: watchedChanges(ctx, collection.id, before, after),
  };
}

/** An object that is refused is refused for all that is wrong with it. At once where nothing is. */
function namingAll(work: ChangeWork, tx: Tx, current: JsonObject, build: () => Built): Built | Promise<Built> {
  try {
    return build();
  } catch (error) {
    return withStoredProblems(work, tx, error, current).then((all) => Promise.reject(all));
  }
}

/** `modified` moves on every write, also within one millisecond and when the clock has stepped back. */
function nextModified(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}

function secretsFor(secrets: ObjectSecrets, { forget, unlock, moved }: Change): ObjectSecrets {
  const isDropped = (key: string) =>
    key === forget || key.startsWith(`${forget}.`) || (unlock !== undefined && key === secretName(unlock));
  const kept = Object.entries(secrets).filter(([key]) => !isDropped(key));
  if (!moved) return Object.fromEntries(kept);
  // By whole names: `report.pdf` does not go along with `report`.
  const names = new Map([...moved].map(([from, to]) => [secretName(from), secretName(to)]));
  return Object.fromEntries(kept.map(([key, hash]) => [names.get(key) ?? key, hash]));
}

/** Of the password of a file, folder or depot. */
function secretName(path: string): string {
  return `${path}.password`;
}
