import { appointmentMinutes, type ClinicMoment } from '@clinic/contracts';
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
