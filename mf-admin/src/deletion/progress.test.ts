import type { CallResponse } from '@clinic/contracts';
import { stepsOf } from './progress.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const seen = '2026-11-25T11:59:55.000Z';
const deletion = (
  services: CallResponse<'getDeletion'>['services'],
  account: CallResponse<'getDeletion'>['account'],
): CallResponse<'getDeletion'> => ({ userId: 'a'.repeat(24), startedAt: seen, services, account });
const shown = (of: CallResponse<'getDeletion'>): readonly string[] =>
  stepsOf(of, now).map(({ name, state, note }) => [name, state, ...(note === undefined ? [] : [note])].join(': '));

test('shows each service that keeps personal data, what was cancelled, and which one isn’t running', () => {
  const part = { records: 0, cancelled: 0, lastSeenAt: seen } as const;
  expect(
    shown(
      deletion(
        [
          { ...part, service: 'clinic', state: 'done', cancelled: 2 },
          { ...part, service: 'home-visits', state: 'working', cancelled: 1 },
          { ...part, service: 'messages', state: 'waiting' },
          { ...part, service: 'pharmacy', state: 'waiting', lastSeenAt: '2026-11-25T11:50:00.000Z' },
        ],
        { state: 'waiting' },
      ),
    ),
  ).toEqual([
    'Lock the account and end its sessions: done',
    'Appointments: done: 2 appointments cancelled',
    'Home visits: working: 1 record cancelled',
    'Messages: waiting',
    'Orders: waiting: This part of the clinic isn’t running. It deletes their data as soon as it’s back.',
    'Sign-in account and user: waiting',
  ]);
});

test('says why the account can’t be deleted yet, and what somebody has to do by hand', () => {
  expect(shown(deletion([], { state: 'working', problem: 'Firebase can’t be reached.' })).at(-1)).toBe(
    'Sign-in account and user: working: Firebase can’t be reached.',
  );
  expect(shown(deletion([], { state: 'done', signInAccount: 'left' })).at(-1)).toContain('Delete it there');
});
