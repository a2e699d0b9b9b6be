import type { ClinicMoment } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import { freeTimesOfDay, isHeld } from '../appointments/free-times.ts';
import { slotRejections } from '../appointments/slot-rejections.ts';
import { heldSlots } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { withHolidays } from './holidays.ts';
import { hoursOf, workingDay } from './working-times.ts';

interface RequestedSlot extends ClinicMoment {
  readonly doctorEmail: string;
  /** The appointment that moves there; absent for a booking. */
  readonly moving?: ObjectId;
}

/**
 * The booking rule: the doctor of a slot, if it can be requested. Whether another appointment holds exactly this slot is left
 * to the database's unique index; one that was booked before the hours changed, and reaches into the slot, is found here.
 *
 * @param session - the transaction of the booking or move
 * @throws ProblemError `validation_failed` naming the fields, see `slotRejections`; `slot_taken` with the day's free times
 */
export async function doctorForSlot(
  collections: Pick<ClinicCollections, 'doctors' | 'appointments' | 'holidays'>,
  { doctorEmail, date, time, moving }: RequestedSlot,
  today: ClinicClock,
  session: ClientSession,
): Promise<DoctorRecord> {
  const doctor = await collections.doctors.findOne({ email: doctorEmail }, { session });
  const clock = await withHolidays(today, collections, session);
  const rejections = slotRejections(doctor, { date, time }, clock);
  if (!doctor || rejections.length > 0) throw new ProblemError('validation_failed', { errors: rejections });
  if (!hoursOf(doctor)) return doctor;
  const held = await collections.appointments
    .find(
      { ...heldSlots(doctorEmail, date, date), ...(moving && { _id: { $ne: moving } }) },
      { session, projection: { _id: 0, time: 1 } },
    )
    .toArray();
  const { slots } = workingDay(doctor, date, clock);
  const slot = slots.find((one) => one.time === time);
  const others = held.map((one) => one.time).filter((taken) => taken !== time);
  if (slot && isHeld(slot, slots, others)) {
    const taken = [...others, time];
    const { times } = freeTimesOfDay(doctor, date, taken, clock);
    throw new ProblemError('slot_taken', {
      detail:
        times.length > 0 ? 'Choose another time.' : 'There are no free times left on this day. Choose another day.',
      freeTimes: times,
    });
  }
  return doctor;
}
