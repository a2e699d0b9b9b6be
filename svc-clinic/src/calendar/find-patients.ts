import { isAllowed, type Caller, type ParsedQuery } from '@clinic/contracts';
import { hasNoEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import { calendarLimits as limits } from '@clinic/contracts/limits';
import { findingWords, searchKey, searchWords } from '@clinic/contracts/search-key';
import { beginningWords, ownedBy, phoneWords, searchedPhone, searchFilter } from '@clinic/service-kit';
import type { FoundPatient } from '../contract/calendar-calls.ts';
import { patientOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { appointmentFilter, appointmentSorts } from '../appointments/find-appointments.ts';
import { detailsOf } from '../appointments/patient-fields.ts';
import { clinicMoment } from '@clinic/contracts';
import type { ClinicCollections } from '../collections.ts';
import { desk } from '../contract/desk.ts';

/** Appointments read at most: a search for the doctor's name finds all of theirs. */
const mostRead = 2_000;

const read = {
  patientName: 1,
  patientEmail: 1,
  patientId: 1,
  age: 1,
  address: 1,
  phone: 1,
  phoneE164: 1,
  doctorName: 1,
  date: 1,
} as const;

type Read = Pick<AppointmentRecord, Extract<keyof typeof read, keyof AppointmentRecord> | '_id'>;

/**
 * The patients of earlier and coming appointments whom a search names, each once, those who were here last first.
 *
 * @param caller - a doctor finds their own patients only, whatever the address in the query says
 */
export async function findPatients(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  { q, email }: ParsedQuery<'findPatients'>,
  caller: Caller,
  timeZone: string,
): Promise<FoundPatient[]> {
  const whose = isAllowed(caller, desk)
    ? { ...(email !== undefined && { doctorEmail: email }) }
    : { doctorAccountId: caller.id };
  const own = appointmentFilter(whose, clinicMoment(new Date(), timeZone));
  const cursor = appointments
    .find(searchFilter([[...beginningWords<AppointmentRecord>(q, 'words'), own]]), { projection: read })
    .sort(appointmentSorts['-date'])
    .limit(mostRead);
  const found = new Map<string, FoundPatient>();
  const named = namedBy(q);
  for await (const record of cursor as AsyncIterable<Read>) {
    // Two people may share an address: a parent books for a child.
    const person = `${record.patientEmail} ${searchKey(record.patientName)}`;
    if (found.has(person) || isErasedEmail(record.patientEmail) || !named(record)) continue;
    found.set(person, toFoundPatient(record));
    if (found.size === limits.patients) break;
  }
  return [...found.values()];
}

/** Whether it is the patient whom a search names, and not the doctor: both are among an appointment's words. */
function namedBy(q: string): (record: Read) => boolean {
  const phone = searchedPhone(q);
  const searched = phone === undefined ? searchWords(q) : [phone];
  return ({ patientName, patientEmail, phone: typed, phoneE164 }) => {
    const words = [
      ...findingWords(patientName, hasNoEmail(patientEmail) ? '' : patientEmail),
      ...phoneWords(typed, phoneE164),
    ];
    return searched.every((beginning) => words.some((word) => word.startsWith(beginning)));
  };
}

function toFoundPatient(record: Read): FoundPatient {
  const { reason: _reason, ...details } = detailsOf(record);
  const { _id, patientEmail: patientemail, doctorName: doctorname, date } = record;
  return ownedBy(patientOf(record), { appointment: _id.toHexString(), ...details, patientemail, doctorname, date });
}
