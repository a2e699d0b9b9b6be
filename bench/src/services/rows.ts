import { ObjectId } from 'mongodb';

/** An appointment as stored in the database. */
interface StoredAppointment {
  readonly _id: ObjectId;
  readonly patientName: string;
  readonly patientEmail: string;
  readonly doctorName: string;
  readonly doctorEmail: string;
  readonly address: string;
  readonly phone: string;
  readonly date: string;
  readonly time: string;
  readonly status: 'Pending' | 'Confirmed';
  readonly bookedAt: Date;
}

/** A page of a list. */
export const rowsOfAPage = 50;

/** Fifty appointments in memory; the database is measured elsewhere. */
export const stored: readonly StoredAppointment[] = Array.from({ length: rowsOfAPage }, (_, index) => ({
  _id: ObjectId.createFromHexString((0x68_a0_00_00 + index).toString(16).padEnd(24, 'a')),
  patientName: `Patient Number${index}`,
  patientEmail: `patient${index}@mail.example`,
  doctorName: `Dr. Nr${index % 7}`,
  doctorEmail: `doctor${index % 7}@clinic.example`,
  address: `${index} Lake Road, Dhanmondi, Dhaka`,
  phone: '+880 1555 010999',
  date: '2026-11-24',
  time: '09:30',
  status: index % 2 === 0 ? 'Pending' : 'Confirmed',
  bookedAt: new Date(1_790_000_000_000 + index * 60_000),
}));

/** The same objects for all candidates: appointments as on the wire. */
export function onTheWire({ _id, bookedAt, ...row }: StoredAppointment) {
  return {
    _id: _id.toHexString(),
    patientname: row.patientName,
    patientemail: row.patientEmail,
    doctorname: row.doctorName,
    doctoremail: row.doctorEmail,
    age: 30,
    address: row.address,
    number: row.phone,
    date: row.date,
    time: row.time,
    status: row.status,
    changeUntil: bookedAt.toISOString(),
  };
}
