import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarOf, type CalendarEntry } from '@clinic/service-kit/calendar';
import { hostileNames } from '@clinic/service-kit/testing/hostile-names';
import { icalFaults } from '@clinic/service-kit/testing/ical-grammar';
import fc from 'fast-check';
import ICAL from 'ical.js';

const nasty = fc.oneof(fc.constantFrom(...hostileNames), fc.string({ unit: 'grapheme', maxLength: 80 }));

const zones = ['Asia/Dhaka', 'America/New_York', 'Australia/Lord_Howe', '+05:45', 'UTC'] as const;

const entries = fc.tuple(nasty, nasty, nasty).map(([summary, place, description]): CalendarEntry => ({
  id: 'a'.repeat(24),
  date: '2027-03-28',
  time: '01:45',
  minutes: 45,
  place,
  status: 'Confirmed',
  sequence: 2,
  summary,
  description,
}));

/** The value without what no calendar can carry: control characters, and a backslash in a parameter. */
const readable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are the ones
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\0-\t\v-\x1F\x7F]/g, ' ');

test('files, subscriptions and invitations keep to the grammar whatever the names are, for two parsers', () => {
  fc.assert(
    fc.property(
      entries,
      nasty,
      nasty,
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 2 }),
      (entry, one, other, timeZone, kind) => {
        const text = calendarOf([entry], {
          timeZone,
          ...(kind === 1 && { subscription: { name: 'Clinic appointments', everySeconds: 3_600 } }),
          ...(kind === 2 && {
            invitation: {
              method: 'REQUEST' as const,
              organizer: { name: one, email: 'clinic@clinic.example' },
              attendee: { name: other, email: 'ann@mail.example' },
            },
          }),
        });
        assert.deepEqual(icalFaults(text), []);
        const calendar = new ICAL.Component(ICAL.parse(text));
        const [event, ...more] = calendar.getAllSubcomponents('vevent');
        assert.deepEqual(more, []);
        const value = (name: string) => event?.getFirstPropertyValue(name) ?? '';
        assert.equal(value('summary'), readable(entry.summary));
        assert.equal(String(event?.getFirstPropertyValue('duration')), 'PT45M');
        assert.equal(event?.getAllProperties('attendee').length, kind === 2 ? 1 : 0);
      },
    ),
    { numRuns: 400 },
  );
});

test('a quote in a name is written as RFC 6868 says, and read again as it was', () => {
  const text = calendarOf(
    [
      {
        id: 'b'.repeat(24),
        date: '2027-03-28',
        time: '09:00',
        minutes: 30,
        place: '',
        status: 'Pending',
        sequence: 0,
        summary: 'x',
      },
    ],
    {
      timeZone: 'Asia/Dhaka',
      invitation: {
        method: 'REQUEST',
        organizer: { name: 'Clinic', email: 'c@clinic.example' },
        attendee: { name: 'Ann "Annie" Lee', email: 'ann@mail.example' },
      },
    },
  );
  assert.ok(text.replaceAll('\r\n ', '').includes(`CN="Ann ^'Annie^' Lee"`) || text.includes("Ann ^'Annie^' Lee"));
  const attendee = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')?.getFirstProperty('attendee');
  assert.equal(attendee?.getParameter('cn'), 'Ann "Annie" Lee');
});
