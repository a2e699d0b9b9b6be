import { formatDate, formatTime } from '@clinic/app-kit';
import type { ClinicMoment } from '@clinic/contracts';
import type { OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';

/** 'Tue, Dec 1, 2026 at 9:00 AM' */
export const momentInWords = ({ date, time }: ClinicMoment): string => `${formatDate(date)} at ${formatTime(time)}`;

/** What of an appointment's promise no longer fits: 'It was promised 60 minutes; the hours now have 30.' */
export function misfitInWords({
  why = [],
  promised,
  now,
}: Pick<OutsideAppointment, 'why' | 'promised' | 'now'>): string {
  return why
    .map((one) => {
      switch (one) {
        case 'length':
          return `Promised ${promised?.minutes ?? '?'} minutes; now ${now?.minutes ?? '?'}.`;
        case 'place':
          return `Promised at ${promised?.place || 'the clinic'}; now at ${now?.place || 'the clinic'}.`;
        case 'overlap':
          return 'Another appointment has part of its time.';
        case 'time':
        default:
          return 'There are no hours at this time.';
      }
    })
    .join(' ');
}

/**
 * What the patient is told about a decision, in a sentence.
 *
 * @param decision - of a move the new time; empty while it isn't chosen
 */
export function toldInWords(
  { date, time, promised, now }: OutsideAppointment,
  decision: 'keep' | 'cancel' | 'colleague' | ClinicMoment,
): string {
  if (decision === 'keep') return 'The patient gets no message.';
  if (decision === 'cancel') return 'The patient gets a message that it is cancelled.';
  if (decision === 'colleague') return 'The patient gets a message with the new doctor, time and place.';
  if (decision.date === '' || decision.time === '') return 'The patient gets a message with the new time and place.';
  if (decision.date !== date || decision.time !== time)
    return `The patient gets a message that it is on ${momentInWords(decision)}, instead of ${momentInWords({ date, time })}.`;
  const changes = [
    ...(now && promised && now.minutes !== promised.minutes
      ? [`lasts ${now.minutes} minutes instead of ${promised.minutes}`]
      : []),
    ...(now && promised && now.place !== promised.place
      ? [`is at ${now.place || 'the clinic'} instead of ${promised.place || 'the clinic'}`]
      : []),
  ];
  return `The patient gets a message that it ${changes.join(' and ') || 'has changed'}, at the same time.`;
}
