import { clinicInstant, clinicMoment, type ClinicMoment } from '@clinic/contracts/clinic-time';
import type { Setting } from './message-words.ts';

/**
 * A time at the clinic on the reader's clock; `undefined` if both clocks show the same.
 *
 * @param clinicZone - IANA name, or an offset
 * @param readerZone - IANA name; absent if it isn't known
 */
export function readersMoment(moment: ClinicMoment, clinicZone: string, readerZone?: string): ClinicMoment | undefined {
  if (readerZone === undefined) return undefined;
  const theirs = clinicMoment(clinicInstant(moment, clinicZone), readerZone);
  return theirs.date === moment.date && theirs.time === moment.time ? undefined : theirs;
}

/** An ISO instant on the clinic's clock. */
export function momentOf(instant: string, zone: string): ClinicMoment {
  return clinicMoment(new Date(instant), zone);
}

/** A time zone as readers see it. */
export const zoneInWords = (zone: string): string => zone.replaceAll('_', ' ');

/** A written time at the clinic; it names the clinic's zone if the reader's clock shows another time. */
export function byClinic(
  written: string,
  moment: ClinicMoment,
  { clinic, to }: Pick<Setting, 'clinic' | 'to'>,
): string {
  return readersMoment(moment, clinic.zone, to.timeZone) ? `${written} (${zoneInWords(clinic.zone)})` : written;
}
