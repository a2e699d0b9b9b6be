import type { Db } from 'mongodb';
import { dataHoldersOf } from './deletion-record.ts';

/**
 * Makes deletions no longer wait for a service that was removed together with its database. One that still runs notes
 * itself again within seconds.
 *
 * @param service - its name, e.g. `home-visits`
 * @returns `false` if deletions don't wait for it
 */
export async function retireService(context: { readonly db: Db }, service: string): Promise<boolean> {
  return (await dataHoldersOf(context).deleteOne({ _id: service })).deletedCount === 1;
}
