import { existsInClinic, formatDate, type ClinicMoment, type FieldError } from '@clinic/contracts';
import { isClosedOn } from '@clinic/contracts/opening-days';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import { isBookable } from '../doctors/doctor-record.ts';
import type { BookableDoctor } from './free-times.ts';

/**
 * Why a slot can't be requested, regardless of who else has it: unknown or unavailable doctor, past, beyond the booking
 * horizon, or not among the doctor's times.
 *
 * @param doctor - `null`: no doctor has the requested email
 * @param slot - date and time in the clinic's time zone
 * @returns errors of the booking's fields; empty if the slot can be requested
 */
export function slotRejections(doctor: BookableDoctor | null, slot: ClinicMoment, clock: ClinicClock): FieldError[] {
  if (!doctor) return [{ field: 'doctoremail', message: 'There’s no doctor with this email address' }];
  const rejections: FieldError[] = [];
  if (!isBookable(doctor))
    rejections.push({ field: 'doctoremail', message: 'This doctor isn’t taking new appointments' });
  if (slot.date < clock.today) rejections.push({ field: 'date', message: 'Date is in the past' });
  else if (slot.date > clock.bookableUntil)
    rejections.push({ field: 'date', message: `You can book until ${formatDate(clock.bookableUntil)}` });
  else if (isPast(slot, clock)) rejections.push({ field: 'time', message: 'Time is in the past' });
  else if (!existsInClinic(slot, clock.timeZone))
    rejections.push({ field: 'time', message: 'This time doesn’t exist on that day because the clocks change' });
  if (isClosedOn(slot.date, clock.closed))
    rejections.push({ field: 'date', message: 'The clinic is closed on this day' });
  if (doctor.daysOff?.includes(slot.date))
    rejections.push({ field: 'date', message: 'The doctor is away on this day' });
  if (doctor.availableTimes.length > 0 && !doctor.availableTimes.includes(slot.time)) {
    rejections.push({ field: 'time', message: 'The doctor doesn’t see patients at this time' });
  }
  return rejections;
}
