import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { snapshotOf } from './call-schemas.ts';
import { breaksBetween } from './compatibility.ts';
import { findBreaks } from './find-breaks.ts';

interface Schemas {
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response?: z.ZodType;
}

/** The breaks in one call's request and response. */
function breaks(before: Schemas, now: Schemas): string[] {
  const table = (schemas: Schemas) =>
    snapshotOf({
      book: {
        id: 'book',
        service: 'clinic',
        method: 'POST',
        path: '/book',
        access: { kind: 'everyone' },
        status: 201,
        errors: [],
        summary: '',
        response: z.unknown(),
        ...schemas,
      },
    }).calls;
  return breaksBetween(table(before), table(now));
}

const booking = z.object({
  day: z.string().max(10),
  time: z.string().optional(),
  kind: z.enum(['visit', 'call']),
  units: z.number().min(1),
  notes: z.array(z.object({ text: z.string() })),
});

describe('what front-ends of an earlier release send', () => {
  const cases: Readonly<Record<string, readonly [z.ZodType, readonly string[]]>> = {
    'a new optional field': [booking.extend({ room: z.string().optional() }), []],
    'wider limits': [
      booking.extend({ day: z.string().max(20), units: z.number().min(0), kind: z.enum(['visit', 'call', 'video']) }),
      [],
    ],
    'a field that need not come any more': [booking.partial({ day: true }), []],
    'a field that may be null, too': [booking.extend({ day: z.string().max(10).nullable() }), []],
    'a new required field': [booking.extend({ room: z.string() }), ['book: body.room: is required now']],
    'an optional field that is required now': [booking.required({ time: true }), ['book: body.time: is required now']],
    'a removed field': [booking.omit({ time: true }), ['book: body.time: was removed']],
    'a lower limit': [booking.extend({ day: z.string().max(8) }), ['book: body.day: maxLength was 10 and is 8']],
    'a limit where there was none': [
      booking.extend({ time: z.string().min(4).optional() }),
      ['book: body.time: minLength was none and is 4'],
    ],
    'a pattern': [
      booking.extend({ day: z.string().max(10).regex(/^2/) }),
      ['book: body.day: pattern was none and is ^2'],
    ],
    'another type': [booking.extend({ units: z.string() }), ['book: body.units: was number and must be string']],
    'a value less': [booking.extend({ kind: z.enum(['visit']) }), ['book: body.kind: "call" is refused now']],
    'a field within a list': [
      booking.extend({ notes: z.array(z.object({ text: z.string(), by: z.string() })) }),
      ['book: body.notes[].by: is required now'],
    ],
    'refused further fields': [booking.strict(), ['book: body: further fields are refused now']],
    'an alternative less': [
      booking.extend({ units: z.int().min(1) }),
      ['book: body.units: was number and must be integer'],
    ],
  };
  for (const [name, [now, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(breaks({ body: booking }, { body: now }), expected));

  test('is rejected if the call was removed or moved', () => {
    const before = { method: 'POST', path: '/book', status: 201, paged: false, idempotent: true };
    assert.deepEqual(breaksBetween({ book: before }, {}), ['book: the call is gone']);
    assert.deepEqual(breaksBetween({ book: before }, { book: { ...before, path: '/bookings', idempotent: false } }), [
      'book: path was /book and is /bookings',
      'book: is not idempotent any more',
    ]);
  });

  test('fits a query where there was none, unless it is required', () => {
    assert.deepEqual(breaks({}, { query: z.object({ account: z.string().optional() }) }), []);
    assert.deepEqual(breaks({}, { query: z.object({ account: z.string() }) }), [
      'book: query.account: is required now',
    ]);
  });

  test('fits one of several alternatives', () => {
    const either = z.union([z.number(), z.object({ $numberInt: z.string() })]);
    assert.deepEqual(
      breaks(
        { body: z.object({ units: either }) },
        { body: z.object({ units: z.union([...either.options, z.string()]) }) },
      ),
      [],
    );
    assert.deepEqual(breaks({ body: z.object({ units: either }) }, { body: z.object({ units: z.number() }) }), [
      'book: body.units: was object and must be number',
    ]);
    assert.deepEqual(
      breaks({ body: z.object({ units: z.string().nullable() }) }, { body: z.object({ units: z.string() }) }),
      ['book: body.units: was null and must be string'],
    );
  });
});

describe('what front-ends of an earlier release read', () => {
  const cases: Readonly<Record<string, readonly [z.ZodType, readonly string[]]>> = {
    'a new field': [booking.extend({ room: z.string() }), []],
    'a value less': [booking.extend({ kind: z.enum(['visit']) }), []],
    'a removed field': [booking.omit({ units: true }), ['book: response.units: was removed']],
    'a field that may be left out': [booking.partial({ day: true }), ['book: response.day: may be left out now']],
    'a field that may be null': [
      booking.extend({ day: z.string().nullable() }),
      ['book: response.day: may be null now'],
    ],
    'a new value': [
      booking.extend({ kind: z.enum(['visit', 'call', 'video']) }),
      ['book: response.kind: may be "video" now'],
    ],
    'another type': [booking.extend({ units: z.string() }), ['book: response.units: was number and is string']],
    'a field within a list': [
      booking.extend({ notes: z.array(z.object({ body: z.string() })) }),
      ['book: response.notes[].text: was removed'],
    ],
  };
  for (const [name, [now, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(breaks({ response: booking }, { response: now }), expected));
});

test("today's calls keep what every release promised", () => {
  const { releases, broken, outdated } = findBreaks();
  assert.ok(releases.length > 0);
  assert.deepEqual({ broken, outdated }, { broken: [], outdated: [] }, 'npm run release:check says what to do');
});
