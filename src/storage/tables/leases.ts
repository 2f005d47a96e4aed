// Leases among all processes that share the database. A lease that has expired, or whose
// owner is known to be gone, may be taken over; the caller decides that.

import type { Reader, Tx } from "#storage/port.ts";

export interface Lease {
  owner: string;
  leaseUntil: string;
}

export function findLease(db: Reader, id: string): Promise<Lease | undefined> {
  return db.one<Lease>(`SELECT owner, lease_until AS "leaseUntil" FROM holds WHERE id = ?`, [id]);
}

/** Replaces the given lease, or none. False: another process was faster. */
export async function takeLease(tx: Tx, id: string, { owner, leaseUntil }: Lease, found?: Lease): Promise<boolean> {
  const changed = found
    ? await tx.run("UPDATE holds SET owner = ?, lease_until = ? WHERE id = ? AND owner = ? AND lease_until = ?", [
        ...[owner, leaseUntil, id],
        ...[found.owner, found.leaseUntil],
      ])
    : await tx.run("INSERT INTO holds (id, owner, lease_until) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING", [
        ...[id, owner, leaseUntil],
      ]);
  return changed > 0;
}

/** False: another process has it now. */
export async function extendLease(tx: Tx, id: string, { owner, leaseUntil }: Lease): Promise<boolean> {
  return (await tx.run("UPDATE holds SET lease_until = ? WHERE id = ? AND owner = ?", [leaseUntil, id, owner])) > 0;
}

export async function deleteLease(tx: Tx, id: string, owner: string): Promise<void> {
  await tx.run("DELETE FROM holds WHERE id = ? AND owner = ?", [id, owner]);
}

/** Leases of processes that are gone. */
export async function deleteLeasesBefore(tx: Tx, leaseUntil: string): Promise<void> {
  await tx.run("DELETE FROM holds WHERE lease_until < ?", [leaseUntil]);
}
