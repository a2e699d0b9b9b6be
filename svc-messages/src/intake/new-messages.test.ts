import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesFor, type IntakeRules } from './new-messages.ts';

const rules: IntakeRules = {
  CLINIC_TZ: 'Asia/Dhaka',
  REMINDER_HOURS: [24, 2],
  MAIL_FROM: 'Clinic <clinic@clinic.example>',
};
const visit = {
  id: 'a'.repeat(24),
  doctor: 'Dr. Grey',
  date: '2026-12-10',
  time: '10:00',
  sequence: 0,
  status: 'Pending',
} as const;

/** What is planned with a booking, or a move, of a visit. */
function planned(stated: object, at: string, kind = 'appointment-booked'): string[] {
  const was = kind === 'appointment-moved' ? { was: { date: '2026-12-09', time: '09:00' } } : {};
  const data = { visit: { ...visit, ...stated }, ...was };
  const entry = { id: 'b'.repeat(24), at, kind, to: { account: 'c'.repeat(24) }, data };
  return messagesFor('clinic', entry, rules, new Date(at))
    .filter(({ lane }) => lane === 1)
    .map(({ kind: one, dueAt, expiresAt }) => `${one} ${dueAt.toISOString()} ${expiresAt?.toISOString()}`);
}

const reminders = [
  'appointment-reminder 2026-12-09T04:00:00.000Z 2026-12-10T02:00:00.000Z',
  'appointment-reminder 2026-12-10T02:00:00.000Z 2026-12-10T04:00:00.000Z',
];
const asks = 'appointment-questions 2026-12-08T04:00:00.000Z 2026-12-10T04:00:00.000Z';

test('a visit with questions is asked them two days before, one without isn’t', () => {
  const early = '2026-12-01T00:00:00Z';
  assert.deepEqual(planned({}, early), reminders);
  assert.deepEqual(planned({ questions: true }, early), [...reminders, asks]);
  assert.deepEqual(planned({ questions: true }, early, 'appointment-moved'), [...reminders, asks]);
  assert.deepEqual(planned({ questions: true }, early, 'appointment-confirmed'), []);
});

test('whoever books less than two days before is asked by the page alone', () => {
  assert.deepEqual(planned({ questions: true }, '2026-12-08T04:00:00Z'), reminders);
});
