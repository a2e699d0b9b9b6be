import { existsInClinic, formatDate, type ClinicMoment, type FieldError } from '@clinic/contracts';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import { isBookable } from '../doctors/doctor-record.ts';
import type { BookableDoctor } from './free-times.ts';

/**
 * Why a slot can't be requested, regardless of who else has it: unknown or unavailable doctor, past, beyond the booking
 * horizon, or not among the doctor's times.
 *
 * @param doctor - `null`: no doctor has the requested e-mail
 * @param slot - date and time in the clinic's time zone
 * @returns errors of the booking's fields; empty if the slot can be requested
 */
export function slotRefusals(doctor: BookableDoctor | null, slot: ClinicMoment, clock: ClinicClock): FieldError[] {
  if (!doctor) return [{ field: 'doctoremail', message: 'There is no doctor with this e-mail address' }];
  const refusals: FieldError[] = [];
  if (!isBookable(doctor)) refusals.push({ field: 'doctoremail', message: 'This doctor takes no appointments at present' });
  if (slot.date < clock.today) refusals.push({ field: 'date', message: 'Date is in the past' });
  else if (slot.date > clock.bookableUntil) refusals.push({ field: 'date', message: `You can book until ${formatDate(clock.bookableUntil)}` });
  else if (isPast(slot, clock)) refusals.push({ field: 'time', message: 'Time is in the past' });
  else if (!existsInClinic(slot, clock.timeZone)) refusals.push({ field: 'time', message: 'The clocks skip this time on that day' });
  if (doctor.daysOff?.includes(slot.date)) refusals.push({ field: 'date', message: 'The doctor is away on this day' });
  if (doctor.availableTimes.length > 0 && !doctor.availableTimes.includes(slot.time)) {
    refusals.push({ field: 'time', message: 'The doctor does not see patients at this time' });
  }
  return refusals;
}
