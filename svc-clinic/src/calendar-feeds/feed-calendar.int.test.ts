import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import ICAL from 'ical.js';
import { clinic, openSubscribedClinic, readFeed, subscribe } from '../testing/test-calendar-feed.ts';
import { ann, ben, drGrey } from '../testing/people.ts';
import { storedAppointment } from '../testing/test-clinic.ts';

await openSubscribedClinic();

async function eventsAt(path: string): Promise<ICAL.Event[]> {
  const answer = await readFeed(path);
  assert.equal(answer.status, 200, await answer.clone().text());
  return new ICAL.Component(ICAL.parse(await answer.text()) as unknown[])
    .getAllSubcomponents('vevent')
    .map((each) => new ICAL.Event(each));
}
const shown = (events: readonly ICAL.Event[]) =>
  events.map(({ summary, location, startDate, duration, sequence, component }) => [
    summary,
    location,
    startDate.toString(),
    duration.toString(),
    component.getFirstPropertyValue('status'),
    sequence,
  ]);

const stored = (fields: Parameters<typeof storedAppointment>[0]) =>
  storedAppointment({
    patientId: clinic.issuer.idOf(ann.email),
    doctorAccountId: clinic.issuer.idOf(drGrey.email),
    ...fields,
  });

describe('the subscribed calendar', () => {
  test('has a patient’s appointments with doctor, place, length and zone, and follows moves and cancellations', async () => {
    const { _id } = await clinic.book({ time: '09:45' });
    const { _id: evening } = await clinic.book({ time: '18:00' });
    const path = await subscribe(ann);
    const at = (time: string): string => `${clinic.soon}T${time}:00`;
    assert.deepEqual(shown(await eventsAt(path)), [
      ['Appointment with Dr. Meredith Grey', 'Level 3', at('09:45'), 'PT45M', 'TENTATIVE', 0],
      ['Appointment with Dr. Meredith Grey', 'Branch, North Street; door 2', at('18:00'), 'PT45M', 'TENTATIVE', 0],
    ]);
    const file = await (await clinic.as(ann)(`/appoinments/${evening}/calendar`)).text();
    assert.match(file, /LOCATION:Branch\\, North Street\\; door 2\r\n.*DURATION:PT45M/s);
    await clinic.reschedule(ann, _id, clinic.soon, '10:30');
    await clinic.setStatus(drGrey, _id, 'Confirmed');
    await clinic.setStatus(ann, evening, 'Cancelled');
    const [moved, cancelled] = await eventsAt(path);
    assert.ok(moved && cancelled);
    assert.deepEqual(shown([moved, cancelled]), [
      ['Appointment with Dr. Meredith Grey', 'Level 3', at('10:30'), 'PT45M', 'CONFIRMED', 2],
      [
        'Cancelled: Appointment with Dr. Meredith Grey',
        'Branch, North Street; door 2',
        at('18:00'),
        'PT45M',
        'CANCELLED',
        1,
      ],
    ]);
    assert.deepEqual([moved.uid, cancelled.uid], [`${_id}@appointments.clinic`, `${evening}@appointments.clinic`]);
    assert.equal(moved.startDate.zone?.tzid, 'Europe/London');
    assert.equal(cancelled.component.getFirstPropertyValue('transp'), 'TRANSPARENT');
    for (const name of ['dtstamp', 'last-modified'])
      assert.match(String(moved.component.getFirstPropertyValue(name)), /Z$/);
  });

  test('has a doctor’s patients by name, without telephone, address, age or reason', async () => {
    await clinic.book({ reason: 'a secret rash' });
    const path = await subscribe(drGrey);
    assert.deepEqual(
      (await eventsAt(path)).map(({ summary, location }) => [summary, location]),
      [['Ann Lee', 'Level 3']],
    );
    const text = await (await readFeed(path)).text();
    assert.doesNotMatch(text, /rash|\+880|Lake Road|mail\.example|\b34\b/);
  });

  test('has no other people’s appointments, and a doctor’s patients only while the doctor has the role', async () => {
    await clinic.book();
    assert.deepEqual(await eventsAt(await subscribe(ben)), []);
    const path = await subscribe(drGrey);
    assert.equal((await eventsAt(path)).length, 1);
    clinic.issuer.setStanding(clinic.issuer.idOf(drGrey.email), { active: true, role: 'patient' });
    assert.deepEqual(await eventsAt(path), []);
  });

  test('covers thirty days back to a year ahead', async () => {
    const days = [-31, -30, 365, 366];
    await clinic.appointments.insertMany(
      days.map((day) => stored({ date: addDays(clinic.today, day), time: '09:00' })),
    );
    assert.deepEqual(
      (await eventsAt(await subscribe(ann))).map(({ startDate }) => startDate.toString().slice(0, 10)),
      [addDays(clinic.today, -30), addDays(clinic.today, 365)],
    );
  });

  test('leaves out cancelled and past visits before it leaves out one to come', async () => {
    const old = stored({ date: addDays(clinic.today, -1), time: '09:00' });
    const cancelled = Array.from({ length: 3_000 }, () => ({
      ...stored({ date: clinic.soon, time: '10:00' }),
      status: 'Cancelled' as const,
    }));
    const coming = stored({ date: addDays(clinic.soon, 1), time: '11:00' });
    await clinic.appointments.insertMany([old, ...cancelled, coming]);
    const text = await (await readFeed(await subscribe(drGrey))).text();
    const shows = ({ _id }: typeof old): boolean => text.includes(`UID:${_id.toHexString()}@`);
    assert.deepEqual([shows(coming), shows(old), text.split('BEGIN:VEVENT').length - 1], [true, false, 3_000]);
  });

  test('is valid whatever the names are, in lines of at most 75 octets', async () => {
    const names = ['Jo,hn; "x"\\n\nBEGIN:VALARM', 'Дж😀'.repeat(60), 'a\r\nb', ' '];
    await clinic.appointments.insertMany(
      names.map((patientName, index) => stored({ patientName, date: clinic.soon, time: `1${index}:00` })),
    );
    const path = await subscribe(drGrey);
    assert.deepEqual(
      (await eventsAt(path)).map(({ summary }) => summary),
      names.map((name) => name.replaceAll('\r\n', '\n')),
    );
    const lines = (await (await readFeed(path)).text()).split('\r\n');
    assert.deepEqual(
      lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line)),
      [],
    );
    assert.ok(!lines.some((line) => line.startsWith('BEGIN:VALARM')));
  });

  test('has a component even when it is empty', async () => {
    const text = await (await readFeed(await subscribe(ben))).text();
    assert.match(text, /BEGIN:VTIMEZONE\r\nTZID:Europe\/London/);
    assert.deepEqual(new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent'), []);
  });

  test('is sent again only after a change, otherwise 304', async () => {
    const { _id } = await clinic.book();
    const path = await subscribe(ann);
    const first = await readFeed(path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{43}"$/);
    const again = await readFeed(path, { 'If-None-Match': etag });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    for (const list of [`W/${etag}`, `"other", ${etag}`, '*'])
      assert.equal((await readFeed(path, { 'If-None-Match': list })).status, 304, list);
    assert.equal((await readFeed(path, { 'If-None-Match': '"other"' })).status, 200);
    await clinic.setStatus(drGrey, _id, 'Confirmed');
    const changed = await readFeed(path, { 'If-None-Match': etag });
    assert.deepEqual([changed.status, changed.headers.get('etag') === etag], [200, false]);
  });

  test('isn’t cached by proxies, leaked as a referrer, or indexed by search engines', async () => {
    const { headers } = await readFeed(await subscribe(ann));
    assert.deepEqual(
      ['content-type', 'cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => headers.get(name)),
      ['text/calendar; charset=utf-8', 'private, no-cache', 'no-referrer', 'noindex'],
    );
  });
});
