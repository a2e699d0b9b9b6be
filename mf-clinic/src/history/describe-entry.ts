import { formatDate, formatTime } from '@clinic/app-kit';
import type { HistoryEntry } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

/** The patient's answer to a change by the clinic. */
const choices: Readonly<Record<string, string>> = {
  agreed: '; the patient agreed',
  'not asked': '; the patient wasn’t asked',
  'asked to move': '; the patient asked for it',
};

const attendanceWords: Readonly<Record<string, string>> = {
  expected: 'Arrival taken back',
  arrived: 'Arrived',
  called: 'Called',
  'with doctor': 'With the doctor',
  finished: 'Finished',
  missed: 'Didn’t come',
};

/** Whether a patient who was here left unseen. */
const hasLeft = (before: HistoryEntry['before'], after: HistoryEntry['after']): boolean =>
  after['attendance'] === 'missed' && before?.['attendance'] !== 'expected';

/** What happened, in a few words: 'Booked', 'Pending → Confirmed'. */
export function describeEntry({ action, before, after }: HistoryEntry): string {
  switch (action) {
    case 'booked':
      return `Booked${placeInSeries(after['series'])}`;
    case 'status changed':
      return `${String(before?.['status'])} → ${String(after['status'])}${choices[String(after['patientChoice'])] ?? ''}`;
    case 'rescheduled':
      return `Moved from ${describeSlot(before)} to ${describeSlot(after)}${after['status'] === 'Pending' ? ', to be confirmed again' : ''}${choices[String(after['patientChoice'])] ?? ''}`;
    case 'moved to a colleague':
      return `Moved from ${String(before?.['doctorname'])}, ${describeSlot(before)} to ${String(after['doctorname'])}, ${describeSlot(after)}${choices[String(after['patientChoice'])] ?? ''}`;
    case 'attendance noted':
      return hasLeft(before, after)
        ? 'Left'
        : (attendanceWords[String(after['attendance'])] ?? String(after['attendance']));
    case 'promised to come':
      return `Said they’ll come on ${describeSlot(after)}`;
    case 'questions answered':
      return before?.['answers'] === undefined ? 'Questions answered' : 'Answers changed';
    case 'kept outside hours':
      return `Kept on ${describeSlot(after)}, outside the doctor’s hours`;
    case 'details corrected':
      return `Corrected: ${corrections(before ?? {}, after)}`;
    // A newer server may know more actions: show its own word.
    default:
      return action;
  }
}

function placeInSeries(series: unknown): string {
  if (typeof series !== 'object' || series === null || !('number' in series) || !('of' in series)) return '';
  return `, ${String(series.number)} of ${String(series.of)}`;
}

const detailNames: Readonly<Record<string, string>> = {
  patientname: 'name',
  age: 'age',
  address: 'address',
  number: 'phone number',
};

function corrections(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string {
  return Object.entries(after)
    .map(([field, value]) => `${detailNames[field] ?? field} “${String(before[field])}” → “${String(value)}”`)
    .join(', ');
}

function describeSlot(fields: HistoryEntry['before']): string {
  return `${formatDate(String(fields?.['date']))}, ${formatTime(String(fields?.['time']))}`;
}

/** Who did it, if the reader may know. @param you - the reader's relation to the appointment */
export function describeActor({ actor }: HistoryEntry, { you }: Pick<Appointment, 'you'>): string | undefined {
  if (!actor) return undefined;
  if (actor.role === 'patient' && you?.includes('patient')) return 'you';
  if (actor.email) return actor.email;
  return actor.role === 'admin' ? 'the clinic' : `the ${actor.role}`;
}
