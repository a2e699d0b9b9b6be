import type { ClientSession } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { isDuplicateKey } from '../http/error-mapping.ts';

interface Marker {
  readonly _id: string;
  readonly at: Date;
}

/**
 * Fills a new database with demo data, once in its life, even if several replicas start together. Does nothing outside
 * demo mode, nor in a database that has been used: demo mode may have been switched on by mistake. The marker is
 * written in the same transaction as the data.
 *
 * @param seed - must use the session for every write
 * @returns whether this call wrote the data
 */
export async function seedDemoOnce(
  context: ServiceContext,
  seed: (session: ClientSession) => Promise<void>,
): Promise<boolean> {
  if (!context.settings.DEMO_MODE) return false;
  const markers = context.db.collection<Marker>('markers');
  // Check in this order: another replica may write both in between.
  const event = await context.db.collection('events').findOne({}, { projection: { _id: 1 } });
  if (await markers.findOne({ _id: 'demo-seed' })) return false;
  if (event) {
    context.log.warn(
      'DEMO_MODE is true, but this database is a real one: no demo data are written; set DEMO_MODE=false',
    );
    return false;
  }
  try {
    await context.inTransaction(async (session) => {
      await markers.insertOne({ _id: 'demo-seed', at: new Date() }, { session });
      await seed(session);
    });
  } catch (error) {
    if (isDuplicateKey(error) && (await markers.findOne({ _id: 'demo-seed' }))) return false;
    throw error;
  }
  context.log.info('demo data written');
  return true;
}
