import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, formatDate, type Problem } from '@clinic/contracts';
import { seriesLimits } from '../contract/limits.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { PlannedDate } from '../contract/series-calls.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

// Clocks change on 2026-10-25 and 2027-03-28 in this zone, so that long series cross a change at any time of the year.
const clinic = await sharedClinic({ CLINIC_TZ: 'Europe/Berlin', CLINIC_BOOKING_HORIZON_DAYS: '400' });
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors', 'events', 'idempotency');
  await clinic.db.collection('holidays').updateMany({}, { $set: { list: [] } });
  await clinic.addDoctor();
});

const post = (who: Who, path: string, json: unknown, headers?: Record<string, string>) =>
  clinic.as(who)(`/appoinments/series${path}`, { method: 'POST', json, ...(headers && { headers }) });
const weekly = (count: number, time = '09:00') =>
  Array.from({ length: count }, (_, index) => ({ date: addDays(clinic.soon, 7 * index), time }));
const forAnn = () => {
  const { date: _date, time: _time, doctorname: _name, status: _status, ...fields } = clinic.booking();
  return fields;
};
async function bookWeeks(count: number, who: Who = 'admin'): Promise<Appointment[]> {
  return readJson<Appointment[]>(post(who, '', { booking: forAnn(), dates: weekly(count) }), 201);
}
const change = (who: Who, one: Appointment, requested: object, headers?: Record<string, string>) =>
  clinic.as(who)(`/appoinments/${one._id}/series`, {
    method: 'PATCH',
    ...(headers && { headers }),
    json: { seen: { date: one.date, time: one.time }, change: requested },
  });
/** All appointments, as 'date time status'. */
const stored = async (): Promise<string[]> =>
  (await clinic.appointments.find().sort({ date: 1, time: 1 }).toArray()).map(
    ({ date, time, status }) => `${date} ${time} ${status}`,
  );
const events = () => clinic.db.collection('events').countDocuments();
const errorsOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as Problem).errors;

test('eight weeks at nine are booked together, each with its place in the series', async () => {
  const booked = await bookWeeks(8);
  const id = booked[0]?.series?.id;
  assert.match(id ?? '', /^[0-9a-f]{24}$/);
  assert.deepEqual(
    booked.map(({ date, time, status, series }) => ({ date, time, status, series })),
    weekly(8).map((slot, index) => ({ ...slot, status: 'Pending', series: { id, number: index + 1, of: 8 } })),
  );
  assert.equal(await events(), 8);
  const own = await read<Appointment[]>(clinic.as(ann), `/appoinments?email=${ann.email}&sort=date`);
  assert.deepEqual(
    own.map(({ series }) => series?.number),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('a preview names each date’s conflict and the nearest free time, and books nothing', async () => {
  const [, second, third, fourth, fifth] = weekly(6);
  assert.ok(second && third && fourth && fifth);
  await clinic.book({ patientemail: ben.email, ...second });
  await clinic.as('admin')('/doctors/holidays', {
    method: 'POST',
    json: { name: 'Closed', from: third.date, until: third.date },
  });
  await clinic.doctors.updateOne({ email: drGrey.email }, { $set: { daysOff: [fourth.date] } });
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  await clinic.book({ ...fifth, doctoremail: drHouse.email });
  const before = await stored();
  const { dates } = await readJson<{ dates: PlannedDate[] }>(
    post('admin', '/preview', {
      booking: { doctoremail: drGrey.email, patientemail: ann.email },
      first: weekly(1)[0],
      every: { unit: 'weeks', count: 1 },
      count: 5,
    }),
    200,
  );
  assert.deepEqual(dates, [
    weekly(1)[0],
    { ...second, conflict: 'Someone else has this time', alternative: { ...second, time: '09:30' } },
    {
      ...third,
      conflict: 'The clinic is closed on this day',
      alternative: { date: addDays(third.date, 1), time: '09:00' },
    },
    {
      ...fourth,
      conflict: 'The doctor is away on this day',
      alternative: { date: addDays(fourth.date, 1), time: '09:00' },
    },
    {
      ...fifth,
      conflict: `This patient already has another appointment at this time: Dr. House, ${formatDate(fifth.date)} at 9:00 AM. Choose another time, or ask the patient which one they want.`,
      alternative: { ...fifth, time: '09:30' },
    },
  ]);
  assert.deepEqual(await stored(), before);
});

test('with a conflict nothing is booked, and every conflict is named', async () => {
  const [, second, , fourth] = weekly(4);
  for (const slot of [second, fourth]) await clinic.book({ patientemail: ben.email, ...slot });
  const before = [await stored(), await events()];
  const answer = await post('admin', '', { booking: forAnn(), dates: weekly(4) });
  assert.equal(answer.status, 409);
  assert.deepEqual(
    await errorsOf(answer),
    [1, 3].map((index) => ({
      field: `dates.${index}`,
      message: `${formatDate(weekly(4)[index]?.date ?? '')} at 9:00 AM: Someone else has this time`,
    })),
  );
  const past = await post('admin', '', {
    booking: forAnn(),
    dates: [{ date: addDays(clinic.today, -1), time: '09:00' }, ...weekly(1)],
  });
  assert.equal(await verdict(past), '400 validation_failed');
  assert.deepEqual([await stored(), await events()], before);
});

test('of two overlapping series booked at once, one is booked completely and the other not at all', async () => {
  for (let round = 0; round < 5; round += 1) {
    await clinic.appointments.deleteMany({});
    const bens = { ...forAnn(), patientname: 'Ben', patientemail: ben.email };
    const [one, other] = await Promise.all([
      post('admin', '', { booking: forAnn(), dates: weekly(6) }),
      // They start at opposite ends and meet in the middle.
      post('admin', '', { booking: bens, dates: weekly(9).slice(3).toReversed() }),
    ]);
    const verdicts = [await verdict(one), await verdict(other)];
    assert.deepEqual(verdicts.toSorted(), ['201', '409 slot_taken']);
    const winner = verdicts[0] === '201' ? ann.email : ben.email;
    const records = await clinic.appointments.find().toArray();
    assert.deepEqual(
      [records.length, new Set(records.map(({ patientEmail }) => patientEmail))],
      [6, new Set([winner])],
    );
  }
});

test('the same key books a series once', async () => {
  const request = { booking: forAnn(), dates: weekly(3) };
  const key = { 'Idempotency-Key': 'series-1' };
  const first = (await (await post('admin', '', request, key)).json()) as Appointment[];
  const again = await post('admin', '', request, key);
  assert.equal(again.status, 201);
  assert.deepEqual(await again.json(), first);
  assert.equal((await stored()).length, 3);
  assert.equal(await verdict(post('admin', '', { ...request, dates: weekly(2) }, key)), '422 idempotency_mismatch');
});

test('a doctor books follow-ups of their own appointment, for its patient; a single one is no series', async () => {
  const source = await clinic.book();
  const [, next, later] = weekly(3);
  const [followUp] = await readJson<Appointment[]>(post(drGrey, '', { from: source._id, dates: [next] }), 201);
  assert.deepEqual(
    [followUp?.patientemail, followUp?.number, followUp?.date, followUp?.series],
    [ann.email, source.number, next?.date, undefined],
  );
  for (const [who, body] of [
    [ann, { from: source._id, dates: [later] }],
    [drHouse, { from: source._id, dates: [later] }],
    [drGrey, { booking: forAnn(), dates: [later] }],
  ] as const) {
    assert.equal(await verdict(post(who, '', body)), '403 forbidden');
    const { dates: _dates, ...party } = body;
    const plan = { first: later, every: { unit: 'weeks', count: 1 }, count: 2 };
    const named = 'booking' in party ? { booking: { doctoremail: drGrey.email, patientemail: ann.email } } : party;
    assert.equal(await verdict(post(who, '/preview', { ...named, ...plan })), '403 forbidden');
  }
  assert.equal((await stored()).length, 2);
});

test('a series has at most 52 appointments, no date twice, and one source', async () => {
  assert.equal((await bookWeeks(seriesLimits.appointments)).length, 52);
  for (const body of [
    { booking: forAnn(), dates: weekly(seriesLimits.appointments + 1, '09:30') },
    { booking: forAnn(), dates: [] },
    { booking: forAnn(), dates: [...weekly(1, '09:30'), ...weekly(1, '09:30')] },
    { booking: forAnn(), from: 'a'.repeat(24), dates: weekly(1, '09:30') },
    { dates: weekly(1, '09:30') },
  ])
    assert.equal(await verdict(post('admin', '', body)), '400 validation_failed');
  assert.equal((await stored()).length, 52);
});

test('an appointment and those after it move by the same number of days; earlier ones stay', async () => {
  const booked = await bookWeeks(4);
  const [, second] = booked;
  assert.ok(second);
  // Each moves to the slot of the next one.
  const answer = await change(drGrey, second, { act: 'move', date: addDays(second.date, 7), time: '09:00' });
  assert.equal(answer.status, 200, await answer.clone().text());
  const expected = [0, 14, 21, 28].map((days) => `${addDays(clinic.soon, days)} 09:00 Pending`);
  assert.deepEqual(await stored(), expected);
  const [moved] = (await answer.json()) as Appointment[];
  assert.deepEqual([moved?._id, moved?.series?.number], [second._id, 2]);
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'rescheduled' }), 3);
  assert.ok(moved);
  assert.equal((await change('admin', moved, { act: 'move', date: second.date, time: '10:00' })).status, 200);
  assert.deepEqual(
    await stored(),
    [0, 7, 14, 21].map((days) => `${addDays(clinic.soon, days)} ${days === 0 ? '09:00' : '10:00'} Pending`),
  );
});

test('a move or cancellation that is sent again after a lost response answers what the first has done', async () => {
  const [, second] = await bookWeeks(3);
  assert.ok(second);
  for (const [requested, from] of [
    [{ act: 'move', date: addDays(second.date, 1), time: '10:00' }, second],
    [{ act: 'cancel' }, { ...second, date: addDays(second.date, 1), time: '10:00' }],
  ] as const) {
    const send = () => change(drGrey, from, requested, { 'Idempotency-Key': `series-${requested.act}` });
    const first = await readJson<Appointment[]>(send());
    assert.equal(first.length, 2);
    const after = [await stored(), await events()];
    assert.deepEqual(await readJson<Appointment[]>(send()), first);
    assert.deepEqual([await stored(), await events()], after);
  }
});

test('one conflict keeps the whole series where it is', async () => {
  const booked = await bookWeeks(4);
  const [, second, , fourth] = booked;
  assert.ok(second && fourth);
  await clinic.book({ patientemail: ben.email, date: fourth.date, time: '09:30' });
  const before = [await stored(), await events()];
  const answer = await change(drGrey, second, { act: 'move', date: second.date, time: '09:30' });
  assert.equal(answer.status, 409);
  assert.deepEqual(await errorsOf(answer), [
    { field: 'following.2', message: `${formatDate(fourth.date)} at 9:30 AM: Someone else has this time` },
  ]);
  assert.equal(await verdict(change(drGrey, { ...second, time: '08:00' }, { act: 'cancel' })), '412 changed_meanwhile');
  assert.equal(await verdict(change(ann, second, { act: 'move', date: second.date, time: '10:00' })), '403 forbidden');
  assert.equal(await verdict(change(ben, second, { act: 'cancel' })), '403 forbidden');
  assert.deepEqual([await stored(), await events()], before);
});

test('one that is at its new time already stays there, even where it couldn’t move, as the preview says', async () => {
  const [first, second, third] = await bookWeeks(3);
  assert.ok(first && second && third);
  assert.equal((await clinic.reschedule(ann, second._id, second.date, '10:00')).status, 200);
  await clinic.doctors.updateOne({ email: drGrey.email }, { $set: { daysOff: [second.date] } });
  const to = { date: first.date, time: '10:00' };
  const preview = clinic.as(drGrey)(`/appoinments/${first._id}/series/preview`, { method: 'POST', json: { to } });
  const { visits } = await readJson<{ visits: { conflict?: string }[] }>(preview, 200);
  assert.deepEqual(
    visits.map(({ conflict }) => conflict),
    [undefined, undefined, undefined],
  );
  const moved = await readJson<Appointment[]>(change(drGrey, first, { act: 'move', ...to }), 200);
  assert.deepEqual(
    moved.map(({ _id }) => _id),
    [first._id, third._id],
  );
  assert.deepEqual(
    await stored(),
    [first, second, third].map(({ date }) => `${date} 10:00 Pending`),
  );
});

test('what follows is shown before it is changed, each with what would refuse it, and changed only as it was shown', async () => {
  const booked = await bookWeeks(4);
  const [first, second, third, fourth] = booked;
  assert.ok(first && second && third && fourth);
  const ask = (who: Who, one: Appointment, body: object) =>
    clinic.as(who)(`/appoinments/${one._id}/series/preview`, { method: 'POST', json: body });
  await clinic.book({ patientemail: ben.email, date: fourth.date, time: '09:30' });
  // The patient has put the third elsewhere.
  assert.equal((await clinic.reschedule(ann, third._id, third.date, '10:00')).status, 200);
  const before = [await stored(), await events()];
  const slotOf = ({ date }: Appointment, time: string) => ({ date, time });
  const to = slotOf(second, '09:30');
  const { visits } = await readJson<{ visits: { _id: string; date: string; time: string }[] }>(
    ask(drGrey, second, { to }),
    200,
  );
  assert.deepEqual(visits, [
    { _id: second._id, ...slotOf(second, '09:00'), to },
    { _id: third._id, ...slotOf(third, '10:00'), to: slotOf(third, '09:30') },
    {
      _id: fourth._id,
      ...slotOf(fourth, '09:00'),
      to: slotOf(fourth, '09:30'),
      conflict: 'Someone else has this time',
    },
  ]);
  assert.deepEqual((await readJson<{ visits: object[] }>(ask(ann, second, {}), 200)).visits.length, 3);
  assert.equal(await verdict(ask(ann, second, { to })), '403 forbidden');
  assert.equal(await verdict(ask(ben, second, {})), '403 forbidden');
  assert.deepEqual([await stored(), await events()], before);
  const cancel = (shown: typeof visits) =>
    clinic.as(drGrey)(`/appoinments/${second._id}/series`, {
      method: 'PATCH',
      json: {
        seen: slotOf(second, '09:00'),
        following: shown.map(({ _id: id, date, time }) => ({ id, seen: { date, time } })),
        change: { act: 'cancel' },
      },
    });
  const elsewhere = visits.map((one) => (one._id === third._id ? { ...one, time: '09:00' } : one));
  for (const shown of [elsewhere, visits.slice(1), [...visits, { ...visits[0], _id: first._id } as (typeof visits)[0]]])
    assert.equal(await verdict(cancel(shown)), '412 changed_meanwhile');
  assert.deepEqual([await stored(), await events()], before);
  assert.equal((await cancel(visits)).status, 200);
});

test('a patient cancels an appointment and those after it; ones changed before stay as they are', async () => {
  const booked = await bookWeeks(4);
  const [first, second, third] = booked;
  assert.ok(first && second && third);
  await clinic.setStatus('admin', third._id, 'Cancelled');
  assert.equal((await change(ann, second, { act: 'cancel' })).status, 200);
  assert.deepEqual(
    await stored(),
    weekly(4).map(({ date }, index) => `${date} 09:00 ${index === 0 ? 'Pending' : 'Cancelled'}`),
  );
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'status changed' }), 3);
  assert.equal(await verdict(change('admin', third, { act: 'cancel' })), '409 transition_refused');
  const alone = await clinic.book({ time: '10:00' });
  assert.equal(await verdict(change('admin', alone, { act: 'cancel' })), '409 transition_refused');
});

test('a series moves completely or not at all while somebody books one of its new times', async () => {
  for (let round = 0; round < 5; round += 1) {
    await clinic.appointments.deleteMany({});
    const [first, , third] = await bookWeeks(4);
    assert.ok(first && third);
    const single = await clinic.book({ patientemail: ben.email, date: third.date, time: '10:00' });
    const [moved, taken] = await Promise.all([
      verdict(change('admin', first, { act: 'move', date: first.date, time: '09:30' })),
      verdict(clinic.reschedule('admin', single._id, third.date, '09:30')),
    ]);
    const anns = (await clinic.appointments.find({ patientEmail: ann.email }).toArray()).map(({ time }) => time);
    if (moved === '200') assert.deepEqual([taken, new Set(anns)], ['409 slot_taken', new Set(['09:30'])]);
    else assert.deepEqual([moved, taken, new Set(anns)], ['409 slot_taken', '200', new Set(['09:00'])]);
  }
});
