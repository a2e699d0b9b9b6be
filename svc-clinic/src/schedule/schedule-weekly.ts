import { rewriteRecords, type SchemaChange } from '@clinic/service-kit';
import { collectionsOf } from '../collections.ts';
import { holidaysId } from './hours-record.ts';
import { hoursFromTimes } from './plain-times.ts';

/**
 * Gives doctors with listed times weekly hours with exactly these times every day. Replicas of the previous release
 * continue to read and write the listed times; what they write applies (`hoursOf`). Doctors who list no times keep
 * none.
 *
 * @param number - of the schema change
 */
export const scheduleWeekly = (number: number): SchemaChange => ({
  number,
  name: 'doctors have weekly hours',
  up: async (context) => {
    const { doctors, holidays } = collectionsOf(context.db);
    await holidays.updateOne({ _id: holidaysId }, { $setOnInsert: { list: [] } }, { upsert: true });
    await rewriteRecords(context, doctors, ['availableTimes'], ({ availableTimes }) => {
      const hours = hoursFromTimes(availableTimes);
      return hours ? { hours } : {};
    });
  },
});
