import { exported, exportedEvents, exportedLooks, type ExportedThing, type Person } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { appointmentFields } from '../appointments/appointment-record.ts';
import { detailsOf } from '../appointments/patient-fields.ts';
import { collectionsOf } from '../collections.ts';
import { doctorFields } from '../doctors/doctor-record.ts';
import { toPharmacist } from '../pharmacists/pharmacist-record.ts';
import type { ClinicContext } from '../settings.ts';
import { clinicRecords } from './personal-records.ts';
import { toEntry, toOffer, type WaitlistRecord } from '../waitlist/waitlist-record.ts';

/**
 * The clinic's data about a person: their profile, their appointments as a patient, and the history. A doctor's
 * appointments with patients are those patients' data and aren't included.
 */
export const exportPerson = (context: ClinicContext, person: Person) => exported(() => things(context, person));

async function* things(context: ClinicContext, person: Person): AsyncGenerator<ExportedThing> {
  const { doctors, pharmacists, appointments, calendarFeeds } = collectionsOf(context.db);
  const own = new Set<string>();
  for (const whose of clinicRecords.doctors.whose.doctor(person)) {
    const doctor = await doctors.findOne(whose);
    if (doctor) {
      own.add(doctor._id.toHexString());
      yield {
        kind: 'doctor profile',
        data: { ...doctorFields(doctor, ''), ...(doctor.hours && { hours: doctor.hours }) },
      };
    }
  }
  for (const whose of clinicRecords.pharmacists.whose.pharmacist(person)) {
    const pharmacist = await pharmacists.findOne(whose);
    if (pharmacist) {
      own.add(pharmacist._id.toHexString());
      yield { kind: 'pharmacist profile', data: { ...toPharmacist(pharmacist), ...phoneOf(pharmacist) } };
    }
  }
  for (const whose of clinicRecords.appointments.whose.patient(person)) {
    for await (const record of appointments.find(whose).sort({ date: 1, time: 1 })) {
      own.add(record._id.toHexString());
      yield {
        kind: 'appointment',
        data: {
          ...appointmentFields(record),
          ...phoneOf(record),
          ...(record.attendance && { attendance: record.attendance }),
          ...(record.answers && { answers: record.answers }),
          bookedAt: record.bookedAt.toISOString(),
          changedAt: record.changedAt.toISOString(),
        },
      };
    }
  }
  for (const whose of clinicRecords.waitlist.whose.patient(person)) yield* places(context, whose, own);
  for (const whose of clinicRecords.calendarFeeds.whose.owner(person)) {
    const feed = await calendarFeeds.findOne(whose);
    if (!feed) continue;
    own.add(feed._id);
    yield { kind: 'calendar subscription', data: { email: feed.email, since: feed.createdAt.toISOString() } };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}

/** The phone number as services read it, if they can. */
const phoneOf = ({ phoneE164 }: { readonly phoneE164?: string }) => (phoneE164 ? { phoneE164 } : {});

async function* places(
  context: ClinicContext,
  whose: Filter<WaitlistRecord>,
  own: Set<string>,
): AsyncGenerator<ExportedThing> {
  const { waitlist, waitlistOffers } = collectionsOf(context.db);
  for await (const record of waitlist.find(whose).sort({ joinedAt: 1 })) {
    own.add(record._id.toHexString());
    yield {
      kind: 'place on the waitlist',
      data: { ...toEntry(record), ...detailsOf(record), ...phoneOf(record) },
    };
    for await (const offer of waitlistOffers.find({ patientId: record.patientId, entryId: record._id })) {
      const { left: _left, ...fields } = toOffer(offer);
      yield { kind: 'offer from the waitlist', data: fields };
    }
  }
}
