import { dateWithin, giveHistory, type JoinRecords } from '@clinic/service-kit';
import { findingFields } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';
import { waitingWords } from '../waitlist/waitlist-record.ts';

/**
 * Gives a patient's account the appointments booked for an address of theirs by people who didn't know the account, and sets
 * the current address on the account's own appointments, in case they were booked under another one.
 */
export function joinAppointments({ db }: Pick<ClinicContext, 'db'>): JoinRecords {
  const collections = collectionsOf(db);
  const { appointments, waitlist } = collections;
  return async (session, owner) => {
    const { id, email } = owner;
    const ownerless = { patientEmail: email, patientId: { $exists: false }, ...dateWithin('bookedAt', owner) };
    const found = await appointments.find(ownerless, { session, projection: { _id: 1 } }).toArray();
    if (found.length > 0) {
      const ids = found.map(({ _id }) => _id);
      await appointments.updateMany(
        { ...ownerless, _id: { $in: ids } },
        { $set: { patientId: id }, $addToSet: { accounts: id } },
        { session },
      );
      await giveHistory({ db }, session, 'appointment', ids, id);
    }
    if (owner.until !== undefined) return;
    for (const place of await waitlist.find({ patientId: id, patientEmail: { $ne: email } }, { session }).toArray()) {
      const changed = { patientEmail: email, words: waitingWords({ ...place, patientEmail: email }) };
      await waitlist.updateOne({ _id: place._id }, { $set: changed }, { session });
    }
    // They may have joined before they confirmed, and get no offers until then.
    if (await waitlist.findOne({ patientId: id, status: 'waiting' }, { session, projection: { _id: 1 } }))
      await noteFreedTimes(collections, { patientId: id }, session);
    for (const record of await appointments
      .find({ accounts: id, patientId: id, patientEmail: { $ne: email } }, { session })
      .toArray()) {
      const { people, words } = findingFields({ ...record, patientEmail: email });
      await appointments.updateOne({ _id: record._id }, { $set: { patientEmail: email, people, words } }, { session });
    }
  };
}
