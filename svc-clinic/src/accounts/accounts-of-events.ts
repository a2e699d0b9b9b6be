import type { EarlierEvent, ServiceContext } from '@clinic/service-kit';
import { ObjectId, type Document } from 'mongodb';

/** The accounts of the records that events of earlier releases are about. */
export async function accountsOfEvents(
  { db }: Pick<ServiceContext, 'db'>,
  events: readonly EarlierEvent[],
): Promise<ReadonlyMap<string, readonly (string | undefined)[]>> {
  const accounts = new Map<string, readonly (string | undefined)[]>();
  const look = async (type: string, collection: string, fields: readonly string[]): Promise<void> => {
    const about = events.filter(({ record }) => record.type === type && ObjectId.isValid(record.id));
    if (about.length === 0) return;
    const records = await db
      .collection<Document>(collection)
      .find(
        { _id: { $in: about.map(({ record }) => new ObjectId(record.id)) } },
        { projection: Object.fromEntries(fields.map((field) => [field, 1])) },
      )
      .toArray();
    const known = new Map(records.map((record) => [String(record['_id']), record]));
    for (const { _id, record } of about) {
      const found = known.get(record.id);
      accounts.set(
        _id.toHexString(),
        fields.map((field) => found?.[field] as string | undefined),
      );
    }
  };
  await look('appointment', 'appointments', ['patientId', 'doctorAccountId']);
  await look('doctor', 'doctors', ['accountId']);
  await look('pharmacist', 'pharmacists', ['accountId']);
  await look('waitlist', 'waitlist', ['patientId']);
  return accounts;
}
