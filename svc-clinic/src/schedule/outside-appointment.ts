import type { OutsideAppointment } from '../contract/schedule-schemas.ts';
import { ownedBy } from '@clinic/service-kit';
import { patientOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { visitOf } from '../appointments/promise.ts';

/**
 * An appointment that no longer fits its doctor's hours, as the staff's lists show it: with what the patient was promised.
 *
 * @param misfit - what no longer fits, if the hours decide that
 */
export function toOutside(
  record: AppointmentRecord,
  misfit: Pick<OutsideAppointment, 'why' | 'now'> | undefined = { why: ['time'] },
): OutsideAppointment {
  return ownedBy(patientOf(record), {
    _id: record._id.toHexString(),
    date: record.date,
    time: record.time,
    patientname: record.patientName,
    doctorname: record.doctorName,
    doctoremail: record.doctorEmail,
    promised: visitOf(record),
    ...misfit,
  });
}
