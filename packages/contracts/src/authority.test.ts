import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { CallTable } from './calls.ts';
import { defineCalls } from './define-calls.ts';
import { undeclaredAnswers, undeclaredFields } from './testing/contract-fields.ts';

const probe = (light: object, validating: object): CallTable =>
  defineCalls('x', { probe: { method: 'POST', path: '/x', summary: '', ...light, ...validating } as never });
const admins = { kind: 'restricted', roles: ['admin'] };

test('a field that looks deciding has to be declared, however deep it is, and no other may be', () => {
  const validating = {
    body: z.object({
      seen: z.object({ version: z.string() }),
      lines: z.array(z.object({ pricePerUnit: z.number(), note: z.string() })).optional(),
      confirmed: z.boolean(),
      subject: z.string(),
    }),
    response: z.undefined(),
  };
  const says = (path: string) => `probe doesn’t declare what body.${path} is checked against`;
  assert.deepEqual(undeclaredFields(probe({ access: admins }, validating)), [
    says('seen.version'),
    says('lines.pricePerUnit'),
    says('confirmed'),
  ]);
  const decides = {
    'body.seen': 'record',
    'body.lines': 'database',
    'body.confirmed': 'ignored',
    'query.role': 'filter',
  };
  assert.deepEqual(undeclaredFields(probe({ access: admins, decides }, validating)), ['probe has no query.role']);
});

test('personal data in an answer has to be somebody’s, unless it can only be the caller’s', () => {
  const validating = { response: z.array(z.object({ customer: z.object({ phone: z.string() }), total: z.number() })) };
  const missing = ['probe doesn’t say whose customer.phone it answers'];
  assert.deepEqual(undeclaredAnswers(probe({ access: admins }, validating)), missing);
  assert.deepEqual(undeclaredAnswers(probe({ access: { kind: 'everyone' } }, validating)), missing);
  assert.deepEqual(undeclaredAnswers(probe({ access: { kind: 'session' } }, validating)), []);
  assert.deepEqual(undeclaredAnswers(probe({ access: admins, unnoted: 'made up' }, validating)), []);
  const shows = { what: 'orders', whose: 'customer', narrowedBy: ['email'] };
  assert.deepEqual(undeclaredAnswers(probe({ access: admins, shows }, validating)), ['probe isn’t narrowed by email']);
  assert.deepEqual(
    undeclaredAnswers(probe({ access: admins, shows: { what: 'orders', whose: 'email' } }, validating)),
    ['probe answers no email'],
  );
  const file = { media: 'text/calendar', access: admins };
  assert.deepEqual(undeclaredAnswers(probe(file, { response: z.string() })), [
    'probe doesn’t say whose file it answers',
  ]);
});
