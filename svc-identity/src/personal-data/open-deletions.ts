import type { ErasureReport, OpenDeletion } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { personOfAccount } from '../users/held-addresses.ts';
import { adoptDeletions } from './adopt-deletions.ts';
import { dataHoldersOf, deletionsOf } from './deletion-record.ts';
import type { DeletionRunner } from './deletion-runner.ts';

/** Deletions that the asking service hasn't finished; from its first question on, deletions wait for this service. */
export async function openDeletions(context: IdentityContext, service: string): Promise<OpenDeletion[]> {
  const now = new Date();
  await dataHoldersOf(context).updateOne(
    { _id: service },
    { $set: { lastSeenAt: now }, $setOnInsert: { firstSeenAt: now } },
    { upsert: true },
  );
  await adoptDeletions(context);
  const deletions: OpenDeletion[] = [];
  const open = deletionsOf(context).find({
    finishedAt: { $exists: false },
    [`services.${service}.done`]: { $ne: true },
  });
  for await (const { _id, requestId } of open) {
    deletions.push({ person: await personOfAccount(context, _id), requestId });
  }
  return deletions;
}

/** Notes how far a service has got with a deletion. */
export async function noteErasure(
  context: IdentityContext,
  runner: DeletionRunner,
  id: string,
  { service, ...report }: ErasureReport,
): Promise<void> {
  await deletionsOf(context).updateOne(
    // A late report of an earlier step doesn't replace the last one.
    { _id: new ObjectId(id), finishedAt: { $exists: false }, [`services.${service}.done`]: { $ne: true } },
    { $set: { [`services.${service}`]: report } },
  );
  if (report.done) runner.wake();
}
