import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addDays, type CallResponse } from '@clinic/contracts';
import type { ExportedThing } from '@clinic/service-kit';
import ICAL from 'ical.js';
import { ObjectId } from 'mongodb';
import { appointmentRecord, type NewAppointment } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import {
  ann,
  ben,
  book,
  drGrey,
  reschedule,
  setStatus,
  staffOf,
  startTestClinic,
  verdict,
  type TestClinic,
} from '../testing/test-clinic.ts';
import { mostReads } from './feed-limits.ts';

type Who = Parameters<TestClinic['as']>[0];

let clinic: TestClinic;
before(async () => {
  clinic = await startTestClinic({ CLINIC_TZ: 'Europe/London', CLINIC_MAX_OPEN_APPOINTMENTS: '100' });
  await clinic.addDoctor({
    availableTimes: ['09:00', '09:45', '10:30', '18:00'],
    hours: {
      periods: [
        {
          slotMinutes: 45,
          bufferMinutes: 0,
          hours: (['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const).flatMap(
            (day) => [
              { day, from: '09:00', until: '11:15', place: '' },
              { day, from: '18:00', until: '18:45', place: 'Branch, North Street; door 2' },
            ],
          ),
        },
      ],
      exceptions: [],
      listedTimes: ['09:00', '09:45', '10:30', '18:00'],
    },
  });
});
after(() => clinic.close());
beforeEach(async () => {
  for (const name of ['appointments', 'events', 'calendarFeeds']) await clinic.db.collection(name).deleteMany({});
  for (const who of [ann, ben, drGrey])
    clinic.issuer.setStanding(clinic.issuer.idOf(who.email), { active: true, role: who.role });
});

const own = '/appoinments/calendar-feed';
async function subscribe(who: Who): Promise<string> {
  const answer = await clinic.as(who)(own, { method: 'POST' });
  assert.equal(answer.status, 201);
  return ((await answer.json()) as CallResponse<'replaceCalendarFeed'>).path;
}
const subscription = async (who: Who) => (await (await clinic.as(who)(own)).json()) as CallResponse<'getCalendarFeed'>;
/** Reads an address as a calendar program does: without cookies and without a browser's headers. */
const readFeed = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${clinic.url}${path}`, { headers });
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

function stored(fields: Partial<NewAppointment> & Pick<NewAppointment, 'date' | 'time'>) {
  return appointmentRecord({
    _id: new ObjectId(),
    patientName: 'Ann Lee',
    patientEmail: ann.email,
    doctorName: 'Dr. Meredith Grey',
    doctorEmail: drGrey.email,
    age: 34,
    address: '5 Lake Road',
    phone: '+880 1555 010999',
    status: 'Confirmed',
    patientId: clinic.issuer.idOf(ann.email),
    doctorAccountId: clinic.issuer.idOf(drGrey.email),
    bookedAt: new Date('2026-01-05T10:00:00Z'),
    ...fields,
  });
}

describe('the calendar', () => {
  test('has a patient’s appointments with doctor, place, length and zone, and follows moves and cancellations', async () => {
    const { _id } = await book(clinic, { time: '09:45' });
    const { _id: evening } = await book(clinic, { time: '18:00' });
    const path = await subscribe(ann);
    const at = (time: string): string => `${clinic.soon}T${time}:00`;
    assert.deepEqual(shown(await eventsAt(path)), [
      ['Appointment with Dr. Meredith Grey', 'Level 3', at('09:45'), 'PT45M', 'TENTATIVE', 0],
      ['Appointment with Dr. Meredith Grey', 'Branch, North Street; door 2', at('18:00'), 'PT45M', 'TENTATIVE', 0],
    ]);
    const file = await (await clinic.as(ann)(`/appoinments/${evening}/calendar`)).text();
    assert.match(file, /LOCATION:Branch\\, North Street\\; door 2\r\n.*DURATION:PT45M/s);
    await reschedule(clinic, ann, _id, clinic.soon, '10:30');
    await setStatus(clinic, drGrey, _id, 'Confirmed');
    await setStatus(clinic, ann, evening, 'Cancelled');
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
    await book(clinic, { reason: 'a secret rash' });
    const path = await subscribe(drGrey);
    assert.deepEqual(
      (await eventsAt(path)).map(({ summary, location }) => [summary, location]),
      [['Ann Lee', 'Level 3']],
    );
    const text = await (await readFeed(path)).text();
    assert.doesNotMatch(text, /rash|1555|Lake Road|mail\.example|\b34\b/);
  });

  test('has no other people’s appointments, and a doctor’s patients only while the doctor has the role', async () => {
    await book(clinic);
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
    const { _id } = await book(clinic);
    const path = await subscribe(ann);
    const first = await readFeed(path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{43}"$/);
    const again = await readFeed(path, { 'If-None-Match': etag });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    for (const list of [`W/${etag}`, `"other", ${etag}`, '*'])
      assert.equal((await readFeed(path, { 'If-None-Match': list })).status, 304, list);
    assert.equal((await readFeed(path, { 'If-None-Match': '"other"' })).status, 200);
    await setStatus(clinic, drGrey, _id, 'Confirmed');
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

describe('the address', () => {
  test('is shown once, and neither stored nor logged', async () => {
    const path = await subscribe(ann);
    const secret = /^\/calendar-feed\/([\w-]{32})\.ics$/.exec(path)?.[1] ?? assert.fail(path);
    assert.equal((await readFeed(path)).status, 200);
    assert.equal((await readFeed(path.replace('.ics', ''))).status, 200);
    assert.equal((await readFeed(`${path}x`)).status, 404);
    assert.deepEqual(Object.keys(await subscription(ann)), ['since']);
    for (const name of ['calendarFeeds', 'events', 'looks', 'idempotency'])
      assert.ok(!JSON.stringify(await clinic.db.collection(name).find().toArray()).includes(secret), name);
    assert.ok(clinic.log.some((line) => line.includes('readCalendarFeed')));
    assert.deepEqual(
      clinic.log.filter((line) => line.includes(secret)),
      [],
    );
  });

  test('stops working when it is replaced or ended, each recorded in the history', async () => {
    assert.deepEqual(await subscription(ann), {});
    const first = await subscribe(ann);
    const second = await subscribe(ann);
    assert.notEqual(first, second);
    assert.equal(await verdict(readFeed(first)), '404 not_found');
    assert.equal((await readFeed(second)).status, 200);
    assert.equal((await clinic.as(ann)(own, { method: 'DELETE' })).status, 204);
    assert.equal((await clinic.as(ann)(own, { method: 'DELETE' })).status, 204);
    assert.equal(await verdict(readFeed(second)), '404 not_found');
    assert.deepEqual(await subscription(ann), {});
    const events = await clinic.db.collection('events').find().sort({ at: 1, _id: 1 }).toArray();
    assert.deepEqual(
      events.map(({ action, actor }) => [action, (actor as { email: string }).email]),
      ['started', 'replaced', 'stopped'].map((what) => [`calendar subscription ${what}`, ann.email]),
    );
  });

  test('is the only one, however many are requested at once', async () => {
    const paths = await Promise.all(Array.from({ length: 8 }, () => subscribe(ann)));
    const answers = await Promise.all(paths.map(async (path) => (await readFeed(path)).status));
    assert.deepEqual(
      answers.toSorted((one, other) => one - other),
      [200, ...Array.from({ length: 7 }, () => 404)],
    );
    assert.equal(await clinic.db.collection('calendarFeeds').countDocuments(), 1);
  });

  for (const [what, standing] of [
    ['the account is switched off', { active: false, role: 'patient' }],
    [
      'all sessions end',
      { active: true, role: 'patient', sessionsEndedAt: new Date(Date.now() + 60_000).toISOString() },
    ],
  ] as const) {
    test(`stops working for good when ${what}`, async () => {
      const path = await subscribe(ann);
      const id = clinic.issuer.idOf(ann.email);
      clinic.issuer.setStanding(id, standing);
      assert.deepEqual(await subscription(ann), {});
      assert.equal(await verdict(readFeed(path)), '404 not_found');
      clinic.issuer.setStanding(id, { active: true, role: 'patient' });
      assert.equal(await verdict(readFeed(path)), '404 not_found');
      assert.equal(await clinic.db.collection('calendarFeeds').countDocuments(), 0);
    });
  }

  test('works although all sessions were ended before it was created', async () => {
    clinic.issuer.setStanding(clinic.issuer.idOf(ann.email), {
      active: true,
      role: 'patient',
      sessionsEndedAt: new Date(Date.now() - 1_000).toISOString(),
    });
    assert.equal((await readFeed(await subscribe(ann))).status, 200);
  });

  test('is unavailable while accounts can’t be checked, and works again afterwards', async () => {
    const path = await subscribe(ann);
    clinic.issuer.breakFeed();
    assert.equal(await verdict(readFeed(path)), '503 unavailable');
    clinic.issuer.restoreFeed();
    assert.equal((await readFeed(path)).status, 200);
  });

  test('needs a session to be created, shown or ended, but not to be read', async () => {
    const path = await subscribe(ann);
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal(await verdict(clinic.anonymous(own, { method })), '401 unauthenticated');
    assert.equal((await clinic.as(ben)(path)).status, 200);
    assert.equal((await clinic.as(ben)(own, { method: 'DELETE' })).status, 204);
    assert.equal((await readFeed(path)).status, 200);
  });

  test('can be read thirty times in ten minutes', async () => {
    const path = await subscribe(ann);
    const statuses: number[] = [];
    for (let round = 0; round < mostReads; round += 1) statuses.push((await readFeed(path)).status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    const late = await readFeed(path);
    assert.deepEqual([late.status, late.headers.get('retry-after')], [429, '600']);
    await collectionsOf(clinic.db).calendarFeeds.updateOne(
      {},
      { $set: { 'reads.since': new Date(Date.now() - 600_001) } },
    );
    assert.equal((await readFeed(path)).status, 200);
  });

  test('can’t be guessed: wrong ones are limited per network, over all replicas and concurrently', async (t) => {
    const second = await startTestClinic({
      MONGODB_DATABASE: clinic.db.databaseName,
      MONGODB_URI: clinic.context.settings.MONGODB_URI,
    });
    t.after(() => second.close());
    const wrong = `/calendar-feed/${'x'.repeat(32)}.ics`;
    const from = (network: string, path = wrong, url = clinic.url) =>
      fetch(`${url}${path}`, { headers: { 'X-Forwarded-For': network } });
    const path = await subscribe(ann);
    for (let round = 0; round < 3; round += 1) assert.equal((await from('203.0.113.9', path)).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, round) => from('203.0.113.9', wrong, round % 2 === 0 ? clinic.url : second.url)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      [404, 429].map((status) => statuses.filter((one) => one === status).length),
      [60, 20],
    );
    const late = await from('203.0.113.9', path, second.url);
    const wait = Number(late.headers.get('retry-after'));
    assert.deepEqual([late.status, wait > 0 && wait <= 60], [429, true]);
    assert.equal((await from('203.0.113.10', path)).status, 200);
    assert.equal((await from('203.0.113.10')).status, 404);
  });
});

test('is part of a person’s data export, and deleted with the person', async () => {
  const path = await subscribe(ann);
  const { since } = await subscription(ann);
  const copy = (await (await clinic.as(ann)(`/appoinments/export?email=${ann.email}`)).json()) as ExportedThing[];
  assert.deepEqual(
    copy.map(({ kind, data }) => [kind, data['since'] ?? data['action']]),
    [
      ['calendar subscription', since],
      ['event', 'calendar subscription started'],
    ],
  );
  clinic.issuer.setStaff([staffOf(clinic, { role: 'admin', email: 'admin@clinic.example' })]);
  const erased = await clinic.as(ann)('/appoinments/erasure', {
    method: 'POST',
    json: { email: ann.email, userId: clinic.issuer.idOf(ann.email), emailConfirmed: true },
  });
  assert.equal(erased.status, 200);
  assert.equal(await verdict(readFeed(path)), '404 not_found');
  assert.equal(await clinic.db.collection('calendarFeeds').countDocuments(), 0);
  // A request that was in flight can't create another.
  assert.equal(await verdict(clinic.as(ann)(own, { method: 'POST' })), '401 unauthenticated');
});
