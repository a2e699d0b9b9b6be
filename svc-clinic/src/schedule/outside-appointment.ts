import type { OutsideAppointment } from '@clinic/contracts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';

/** An appointment outside its doctor's hours, as the staff's lists show it. */
export function toOutside({
  _id,
  date,
  time,
  patientName,
  doctorName,
  doctorEmail,
}: AppointmentRecord): OutsideAppointment {
  return {
    _id: _id.toHexString(),
    date,
    time,
    patientname: patientName,
    doctorname: doctorName,
    doctoremail: doctorEmail,
  };
}
