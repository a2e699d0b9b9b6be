import type { ClinicMoment } from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';
import type { Visit } from '../appointments/promise.ts';
import { hoursOf, plannedSlot, usualMinutes, type ScheduledDoctor, type WorkingSlot } from './working-times.ts';

type PlacedDoctor = ScheduledDoctor & { readonly location: string };

/** Length and place of a slot: the usual place unless the hours say another. */
export function visitAt({ location }: Pick<PlacedDoctor, 'location'>, { minutes, place }: WorkingSlot): Visit {
  return { minutes, place: place || location };
}

/**
 * Length and place of an appointment that was booked without them, by the doctor's hours of today: what an earlier release
 * would have shown. One outside these has the period's usual length and the doctor's usual place.
 *
 * @param doctor - `undefined` if the profile has been deleted
 */
export function assumedVisit(doctor: PlacedDoctor | undefined, { date, time }: ClinicMoment): Visit {
  if (!doctor) return { minutes: appointmentMinutes, place: '' };
  const slot = plannedSlot(doctor, { date, time });
  if (slot) return visitAt(doctor, slot);
  const hours = hoursOf(doctor);
  return { minutes: hours ? usualMinutes(hours, date) : appointmentMinutes, place: doctor.location };
}
