import type { Role } from '@clinic/contracts';
import type { Deletion } from '../contract/schemas.ts';
import type { ErasureReport, IndexPlan } from '@clinic/service-kit';
import type { Collection, Db, ObjectId } from 'mongodb';

/** A person's deletion, from when it is started; nothing in it says who that was. */
export interface DeletionRecord {
  /** The user's id. */
  readonly _id: ObjectId;
  readonly startedAt: Date;
  /** Who started it; absent if an earlier release locked the account. */
  readonly by?: { readonly id: string; readonly role: Role };
  readonly requestId: string;
  /** The last report of each service, by its name. */
  readonly services: Readonly<Record<string, Omit<ErasureReport, 'service'>>>;
  /** Why the account itself couldn't be deleted yet, for people. */
  readonly problem?: string;
  readonly signInAccount?: 'deleted' | 'left';
  readonly finishedAt?: Date;
}

/** A service that keeps personal data: every deletion waits for its report. */
export interface DataHolder {
  /** The service's name. */
  readonly _id: string;
  readonly firstSeenAt: Date;
  /** When it last asked for deletions; absent: not since it was noted. */
  readonly lastSeenAt?: Date;
}

export const deletionIndexes: IndexPlan = {
  deletions: [{ key: { finishedAt: 1 }, name: 'finished' }],
  dataHolders: [{ key: { lastSeenAt: 1 }, name: 'last_seen' }],
};

export const deletionsOf = ({ db }: { readonly db: Db }): Collection<DeletionRecord> => db.collection('deletions');

export const dataHoldersOf = ({ db }: { readonly db: Db }): Collection<DataHolder> => db.collection('dataHolders');

/** Whether every service that keeps personal data has erased the person. */
export const isErasedEverywhere = ({ services }: DeletionRecord, holders: readonly DataHolder[]): boolean =>
  holders.every(({ _id }) => services[_id]?.done === true);

/** A deletion in its wire shape. */
export function deletionOnTheWire(deletion: DeletionRecord, holders: readonly DataHolder[]): Deletion {
  const { _id, startedAt, finishedAt, services, problem, signInAccount } = deletion;
  const names = [...new Set([...holders.map((holder) => holder._id), ...Object.keys(services)])].toSorted();
  return {
    userId: _id.toHexString(),
    startedAt: startedAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    services: names.map((service) => {
      const report = services[service];
      const seen = holders.find((holder) => holder._id === service)?.lastSeenAt;
      return {
        service,
        state: report === undefined ? 'waiting' : report.done ? 'done' : 'working',
        records: report?.records ?? 0,
        cancelled: report?.cancelled ?? 0,
        ...(seen && { lastSeenAt: seen.toISOString() }),
      };
    }),
    account: {
      state: finishedAt ? 'done' : isErasedEverywhere(deletion, holders) ? 'working' : 'waiting',
      ...(signInAccount && { signInAccount }),
      ...(problem !== undefined && !finishedAt && { problem }),
    },
  };
}
