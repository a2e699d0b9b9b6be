import { appointmentMinutes, type ClinicMoment } from '@clinic/contracts';
import type { ClinicCollections } from '../collections.ts';
import { minutesBetween } from './local-time.ts';
import { hoursOf, plannedSlot, usualMinutes, type ScheduledDoctor } from './working-times.ts';

/** Length and place of an appointment. */
export interface Visit {
  /** Minutes. */
  readonly minutes: number;
  /** Empty if the doctor's profile names no place. */
  readonly place: string;
}

/**
 * Length and place of an appointment at a time, by the doctor's weekly hours and exceptions. An appointment that staff
 * keep outside these has the period's usual length and the doctor's usual place.
 *
 * @param doctor - `undefined` if the profile has been deleted
 */
export function visitOf(
  doctor: (ScheduledDoctor & { readonly location: string }) | undefined,
  { date, time }: ClinicMoment,
): Visit {
  const hours = doctor && hoursOf(doctor);
  if (!doctor || !hours) return { minutes: appointmentMinutes, place: doctor?.location ?? '' };
  const slot = plannedSlot(doctor, { date, time });
  return {
    minutes: slot ? minutesBetween(slot.time, slot.until) : usualMinutes(hours, date),
    place: slot?.place || doctor.location,
  };
}

/** Reads the doctors of some appointments. @returns {@link visitOf} for each of these */
export async function visitsTo(
  doctors: ClinicCollections['doctors'],
  appointments: readonly { readonly doctorEmail: string }[],
): Promise<(appointment: ClinicMoment & { readonly doctorEmail: string }) => Visit> {
  const emails = [...new Set(appointments.map(({ doctorEmail }) => doctorEmail))];
  const profiles = await doctors.find({ email: { $in: emails } }).toArray();
  const doctorOf = new Map(profiles.map((doctor) => [doctor.email, doctor]));
  return (appointment) => visitOf(doctorOf.get(appointment.doctorEmail), appointment);
}
