import assert from 'node:assert/strict';
import { test } from 'node:test';
import ical from 'ical.js';
import type { MessageLanguage } from '../contract/languages.ts';
import { plain, render, setting } from '../testing/rendering.ts';
import type { MessageOfKind } from './render-message.ts';
import { sampleOf } from './sample-messages.ts';

test('shows the reader’s own clock too, if it differs', () => {
  const message = sampleOf('appointment-confirmed');
  const inTime = (timeZone: string) => render(message, { to: { ...setting.to, timeZone } }).text;
  assert.match(inTime('Asia/Dhaka'), /^When: Tue, Dec 1, 2026 at 10:00 AM$/m);
  const newYork = inTime('America/New_York');
  assert.match(newYork, /^When, by the clinic’s clock \(Asia\/Dhaka\): Tue, Dec 1, 2026 at 10:00 AM$/m);
  assert.match(newYork, /^When, by your clock \(America\/New York\): Mon, Nov 30, 2026 at 11:00 PM$/m);
});

test('says of an offer where it is, by whose clock, and which visit it moves', () => {
  const inTime = (timeZone: string) =>
    plain(render(sampleOf('waitlist-offer'), { to: { ...setting.to, timeZone } }).text);
  const here = inTime('Asia/Dhaka');
  assert.match(here, /^Where:\s+Level 3, room 12\s+1 Test Road, Dhaka$/m);
  assert.match(here, /^Instead of your appointment on: Fri, Dec 4, 2026 at 11:30 AM$/m);
  assert.match(here, /^We keep it for you until: Mon, Nov 30, 2026 at 3:30 PM$/m);
  const newYork = inTime('America/New_York');
  assert.match(newYork, /^When, by the clinic’s clock \(Asia\/Dhaka\): Tue, Dec 1, 2026 at 10:00 AM$/m);
  assert.match(newYork, /^Instead of your appointment on: Fri, Dec 4, 2026 at 11:30 AM \(Asia\/Dhaka\)$/m);
  assert.match(newYork, /^We keep it for you until: Mon, Nov 30, 2026 at 3:30 PM \(Asia\/Dhaka\)$/m);
});

test('attaches the calendar’s own entry: requested, updated with a higher sequence, and cancelled', () => {
  const entryOf = (kind: 'appointment-confirmed' | 'appointment-moved' | 'appointment-cancelled') => {
    const { ics } = render(sampleOf(kind));
    assert.ok(ics);
    const calendar = new ical.Component(ical.parse(ics.content));
    assert.equal(calendar.getFirstPropertyValue('method'), ics.method);
    const event = calendar.getFirstSubcomponent('vevent');
    assert.ok(event);
    const value = (name: string) => String(event.getFirstPropertyValue(name));
    return {
      method: ics.method,
      ...Object.fromEntries(
        ['uid', 'sequence', 'status', 'dtstart', 'duration', 'organizer', 'attendee'].map((name) => [
          name,
          value(name),
        ]),
      ),
    };
  };
  const entry = {
    method: 'REQUEST',
    uid: '000000000000000000000001@appointments.clinic',
    sequence: '1',
    status: 'CONFIRMED',
    dtstart: '2026-12-01T10:00:00',
    duration: 'PT30M',
    organizer: 'mailto:hello@clinic.example',
    attendee: 'MAILTO:ann@mail.example',
  };
  assert.deepEqual(entryOf('appointment-confirmed'), entry);
  assert.deepEqual(entryOf('appointment-moved'), { ...entry, sequence: '2', status: 'TENTATIVE' });
  assert.deepEqual(entryOf('appointment-cancelled'), {
    ...entry,
    method: 'CANCEL',
    sequence: '3',
    status: 'CANCELLED',
  });
  for (const kind of ['appointment-reminder', 'order-placed', 'new-device'] as const)
    assert.equal(render(sampleOf(kind)).ics, undefined);
});

test('says of a move what else has changed, and of one at the same time that it is no other time', () => {
  const sample = sampleOf('appointment-moved') as MessageOfKind & { readonly kind: 'appointment-moved' };
  const { date, time } = sample.data.visit;
  const visit = { ...sample.data.visit, doctor: 'Dr. Grey', minutes: 30, place: 'Branch' };
  const same = { doctor: 'Dr. Grey', minutes: 30, place: 'Branch' };
  const written = (was: object, language: MessageLanguage = 'en') =>
    render({ ...sample, data: { visit, was: { date, time, ...same, ...was } } }, { language });
  const adopted = written({ minutes: 60, place: 'Level 3' });
  assert.equal(plain(adopted.subject), 'Your appointment on Tue, Dec 1 at 10:00 AM has changed');
  assert.match(adopted.text, /It now lasts 30 minutes instead of 60\./);
  assert.match(adopted.text, /It was at Level 3 before\./);
  assert.doesNotMatch(adopted.text, /Nobody expects you/);
  assert.match(written({ place: '' }).text, /It was at 1 Test Road, Dhaka before\./);
  const handedOver = written({ doctor: 'Dr. House', date: '2026-11-30' });
  assert.equal(plain(handedOver.subject), 'Your appointment is now on Tue, Dec 1 at 10:00 AM');
  assert.match(plain(handedOver.text), /It was on Mon, Nov 30 at 10:00 AM before\. Nobody expects you/);
  assert.match(handedOver.text, /It was with Dr\. House before\./);
  assert.match(written({ minutes: 60 }, 'bn').text, /এখন সময় লাগবে ৩০ মিনিট, আগে ছিল ৬০ মিনিট।/);
});
