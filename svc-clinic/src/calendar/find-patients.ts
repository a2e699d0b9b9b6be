import { isAllowed, type Caller, type ParsedQuery } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { beginningWords, ownedBy, SearchedRows } from '@clinic/service-kit';
import type { FoundPatient } from '../contract/calendar-calls.ts';
import { patientMark, patientOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { appointmentFilter, appointmentSorts } from '../appointments/find-appointments.ts';
import { personOf } from '../appointments/patient-fields.ts';
import { clinicMoment } from '@clinic/contracts';
import type { ClinicCollections } from '../collections.ts';
import { desk } from '../contract/desk.ts';
import { calendarLimits as limits } from '../contract/limits.ts';

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
  time: 1,
} as const;

type Read = Pick<AppointmentRecord, Extract<keyof typeof read, keyof AppointmentRecord> | '_id'>;

/**
 * The patients of earlier and coming appointments whom a search names, each once, those who were here last first.
 *
 * @param caller - a doctor finds their own patients only, whatever the address in the query says
 * @throws ProblemError `validation_failed` if they are too few among too many to be found
 */
export async function findPatients(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  { q, email }: ParsedQuery<'findPatients'>,
  caller: Caller,
  timeZone: string,
): Promise<FoundPatient[]> {
  const whose = isAllowed(caller, desk)
    ? // One index has these in order.
      { ...(email !== undefined && { person: email, doctorEmail: email }) }
    : { doctorAccountId: caller.id };
  const own = appointmentFilter(whose, clinicMoment(new Date(), timeZone));
  const named = beginningWords<AppointmentRecord>(q, 'words', patientMark);
  // Two people may share an address: a parent books for a child.
  const once = new SearchedRows(appointments, [[...named, own]], undefined, ['patientEmail', 'patientName']);
  const records = await once.first({
    sort: appointmentSorts['-date'],
    limit: limits.patients,
    projection: read,
    beyond: (rows) => rows,
  });
  const found = new Map<string, FoundPatient>();
  for (const record of records) {
    const person = `${record.patientEmail} ${searchKey(record.patientName)}`;
    if (!found.has(person)) found.set(person, toFoundPatient(record));
  }
  return [...found.values()];
}

function toFoundPatient(record: Read): FoundPatient {
  const { _id, patientEmail: patientemail, doctorName: doctorname, date } = record;
  return ownedBy(patientOf(record), {
    appointment: _id.toHexString(),
    ...personOf(record),
    patientemail,
    doctorname,
    date,
  });
}
