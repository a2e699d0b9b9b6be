import { exported, exportedEvents, exportedLooks, type ExportedPerson, type ExportedThing } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { appointmentFields, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import { doctorFields } from '../doctors/doctor-record.ts';
import { toPharmacist } from '../pharmacists/pharmacist-record.ts';
import type { ClinicContext } from '../settings.ts';
import { toEntry, toOffer, type WaitlistRecord } from '../waitlist/waitlist-record.ts';

/**
 * The clinic's data about a person: their profile, their appointments as a patient, and the history. A doctor's
 * appointments with patients are those patients' data and aren't included.
 */
export const exportPerson = (context: ClinicContext, person: ExportedPerson) => exported(() => things(context, person));

async function* things(context: ClinicContext, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const { doctors, pharmacists, appointments, waitlist, waitlistOffers, calendarFeeds } = collectionsOf(context.db);
  const own = new Set<string>();
  for (const whose of profilesOf(person)) {
    const doctor = await doctors.findOne(whose);
    if (doctor) {
      own.add(doctor._id.toHexString());
      yield {
        kind: 'doctor profile',
        data: { ...doctorFields(doctor, ''), ...(doctor.hours && { hours: doctor.hours }) },
      };
    }
    const pharmacist = await pharmacists.findOne(whose);
    if (pharmacist) {
      own.add(pharmacist._id.toHexString());
      yield { kind: 'pharmacist profile', data: toPharmacist(pharmacist) };
    }
  }
  for (const whose of appointmentsOf(person)) {
    for await (const record of appointments.find(whose).sort({ date: 1, time: 1 })) {
      own.add(record._id.toHexString());
      yield {
        kind: 'appointment',
        data: {
          ...appointmentFields(record),
          bookedAt: record.bookedAt.toISOString(),
          changedAt: record.changedAt.toISOString(),
        },
      };
    }
  }
  for await (const record of waitlist.find(waitingOf(person)).sort({ joinedAt: 1 })) {
    own.add(record._id.toHexString());
    const { age, address, phone, reason } = record;
    yield {
      kind: 'place on the waitlist',
      data: { ...toEntry(record), age, address, number: phone, ...(reason !== undefined && { reason }) },
    };
    for await (const offer of waitlistOffers.find({ patientId: record.patientId, entryId: record._id })) {
      const { left: _left, ...fields } = toOffer(offer);
      yield { kind: 'offer from the waitlist', data: fields };
    }
  }
  const feed = await calendarFeeds.findOne(person.id === undefined ? { email: person.email } : { _id: person.id });
  if (feed) {
    own.add(feed._id);
    yield { kind: 'calendar subscription', data: { email: feed.email, since: feed.createdAt.toISOString() } };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}

/**
 * Profiles that belong to the account and, if the address counts, those under it without an account; an admin's export is by
 * address.
 */
function profilesOf({ email, id, byEmail }: ExportedPerson) {
  if (id === undefined) return [{ email }];
  return [{ accountId: id }, ...(byEmail ? [{ email, accountId: { $exists: false } }] : [])];
}

function appointmentsOf({ email, id, byEmail }: ExportedPerson): Filter<AppointmentRecord>[] {
  if (id === undefined) return [{ patientEmail: email }];
  return [
    { accounts: id, patientId: id },
    ...(byEmail ? [{ patientEmail: email, patientId: { $exists: false } }] : []),
  ];
}

/** Places belong to accounts; an admin's export is by address. */
function waitingOf({ email, id }: ExportedPerson): Filter<WaitlistRecord> {
  return id === undefined ? { patientEmail: email } : { patientId: id };
}
