import type { OutsideAppointment } from '@clinic/contracts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';

/** An appointment outside its doctor's hours, as the staff's lists show it. */
export function toOutside(record: AppointmentRecord): OutsideAppointment {
  return {
    _id: record._id.toHexString(),
    date: record.date,
    time: record.time,
    patientname: record.patientName,
    doctorname: record.doctorName,
    doctoremail: record.doctorEmail,
  };
}
