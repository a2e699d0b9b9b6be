import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concernedBy } from './event-list.ts';
import type { HistoryEvent } from './events.ts';

const admin = { id: 'a', email: 'admin@clinic.example', role: 'admin' } as const;
const ann = { id: 'p', email: 'ann@mail.example', role: 'patient' } as const;

/** An event as it is stored: its accounts and people include its actor. */
const event = (parts: Partial<HistoryEvent>): HistoryEvent => ({
  at: new Date(),
  call: 'registerUser',
  requestId: 'r',
  record: { type: 'appointment', id: '1' },
  action: 'booked',
  before: null,
  after: null,
  ...parts,
});

for (const [what, parts, expected] of [
  [
    'what staff did with a patient’s record is about the patient only',
    { actor: admin, concerns: [ann.email], accounts: [admin.id, ann.id], people: [admin.email, ann.email] },
    [{ email: '', id: ann.id }],
  ],
  [
    'the record of somebody without an account is about whoever has the address',
    { actor: admin, concerns: [ann.email], accounts: [admin.id], people: [admin.email, ann.email] },
    [{ email: ann.email }],
  ],
  [
    'what a patient did with their own record is about them',
    { actor: ann, concerns: [ann.email], accounts: [ann.id], people: [ann.email] },
    [{ email: '', id: ann.id }],
  ],
  [
    'signing in is about whoever signs in',
    { actor: admin, subject: admin.email, accounts: [admin.id], people: [admin.email] },
    [{ email: '', id: admin.id }],
  ],
  ['a change that concerns nobody is about nobody', { actor: admin, accounts: [admin.id], people: [admin.email] }, []],
] as const)
  test(what, () => {
    assert.deepEqual(concernedBy(event(parts)), expected);
  });
