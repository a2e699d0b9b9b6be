import type { OutsideAppointment } from '@clinic/contracts';
import { ownedBy } from '@clinic/service-kit';
import { patientOf, type AppointmentRecord } from '../appointments/appointment-record.ts';

/** An appointment outside its doctor's hours, as the staff's lists show it. */
export function toOutside(record: AppointmentRecord): OutsideAppointment {
  return ownedBy(patientOf(record), {
    _id: record._id.toHexString(),
    date: record.date,
    time: record.time,
    patientname: record.patientName,
    doctorname: record.doctorName,
    doctoremail: record.doctorEmail,
  });
}
