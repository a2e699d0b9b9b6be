import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Problem } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { Holiday, OutsideAppointment } from '../contract/schedule-schemas.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, verdict, type Who } from '../testing/test-clinic.ts';
import { change, clinic, freeOn, openClinicOfDrGrey, outsideNow, period } from '../testing/test-schedule.ts';

openClinicOfDrGrey();

const settle = (who: Who, { _id }: Pick<Appointment, '_id'>, json: unknown) =>
  clinic.as(who)(`/appoinments/${_id}/outside`, { method: 'PATCH', json });
const seenAt = (time: string) => ({ doctoremail: drGrey.email, date: clinic.soon, time });

test('a change lists the appointments it strands; each is kept, moved or cancelled, and the history says which', async () => {
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  const kept = await clinic.book({ time: '09:00' });
  const moved = await clinic.book({ time: '09:30', patientemail: ben.email });
  const handedOver = await clinic.book({ time: '10:00', patientemail: 'cleo@mail.example' });
  const { outside } = await change({ periods: [period('14:00', '16:00')] });
  assert.deepEqual(
    outside.map(({ time }) => time),
    ['09:00', '09:30', '10:00'],
  );
  assert.equal(await verdict(settle(ann, kept, { seen: seenAt('09:00'), decision: { act: 'keep' } })), '403 forbidden');
  assert.equal(
    await verdict(settle(drHouse, kept, { seen: seenAt('09:00'), decision: { act: 'keep' } })),
    '403 forbidden',
  );
  const decisions: [Appointment, string, object][] = [
    [kept, '09:00', { act: 'keep' }],
    [moved, '09:30', { act: 'move', date: clinic.soon, time: '14:30', patientChoice: 'agreed' }],
    [
      handedOver,
      '10:00',
      { act: 'move', doctoremail: drHouse.email, date: clinic.soon, time: '10:00', patientChoice: 'not asked' },
    ],
  ];
  for (const [appointment, time, decision] of decisions)
    assert.equal(await verdict(settle(drGrey, appointment, { seen: seenAt(time), decision })), '200');
  assert.deepEqual(await outsideNow(), []);
  // Their responses were lost on the way.
  for (const [appointment, time, decision] of decisions)
    assert.equal(await verdict(settle(drGrey, appointment, { seen: seenAt(time), decision })), '200');
  const events = await clinic.findEvents({
    action: { $in: ['kept outside hours', 'rescheduled', 'moved to a colleague'] },
  });
  assert.deepEqual(
    events.map(({ action, after }) => [action, after.patientChoice, after.doctoremail]),
    [
      ['kept outside hours', undefined, undefined],
      ['rescheduled', 'agreed', undefined],
      ['moved to a colleague', 'not asked', drHouse.email],
    ],
  );
  // Within the hours, a doctor can't hand it over this way.
  const again = { seen: seenAt('14:30'), decision: { act: 'cancel', patientChoice: 'agreed' } };
  assert.equal(await verdict(settle(drGrey, moved, again)), '409 transition_refused');
  assert.equal((await clinic.appointments.findOne({ patientEmail: ben.email }))?.status, 'Pending');
});

test('of two people who decide about one appointment at once, one decides and the other gets a conflict', async () => {
  for (let round = 0; round < 6; round += 1) {
    await clinic.appointments.deleteMany({});
    await change({ periods: [period('09:00', '16:00')] });
    const appointment = await clinic.book({ time: '09:00', patientemail: `p${round}@mail.example` });
    await change({ periods: [period('14:00', '16:00')] });
    const seen = seenAt('09:00');
    const answers = await Promise.all([
      settle(drGrey, appointment, {
        seen,
        decision: { act: 'move', date: clinic.soon, time: '14:00', patientChoice: 'agreed' },
      }),
      round % 2 === 0
        ? settle('admin', appointment, { seen, decision: { act: 'cancel', patientChoice: 'agreed' } })
        : settle('admin', appointment, {
            seen,
            decision: { act: 'move', date: clinic.soon, time: '15:00', patientChoice: 'agreed' },
          }),
    ]);
    const verdicts = await Promise.all(answers.map((answer) => verdict(answer)));
    assert.equal(verdicts.filter((one) => one === '200').length, 1, verdicts.join());
    assert.match(verdicts.find((one) => one !== '200') ?? '', /^(412 changed_meanwhile|409 transition_refused)$/);
    const stored = await clinic.appointments.findOne({});
    const [byDoctor] = verdicts;
    assert.deepEqual(
      [stored?.time, stored?.status],
      byDoctor === '200' ? ['14:00', 'Pending'] : round % 2 === 0 ? ['09:00', 'Cancelled'] : ['15:00', 'Pending'],
    );
  }
});

test('a cancellation that is sent again is made once; another person’s, or another one, isn’t taken for it', async () => {
  const appointment = await clinic.book({ time: '09:00' });
  await change({ periods: [period('14:00', '16:00')] });
  const decide = (who: Who, patientChoice: string, act = 'cancel') =>
    verdict(settle(who, appointment, { seen: seenAt('09:00'), decision: { act, patientChoice } }));
  assert.deepEqual([await decide(drGrey, 'agreed'), await decide(drGrey, 'agreed')], ['200', '200']);
  for (const again of [decide('admin', 'agreed'), decide(drGrey, 'not asked'), decide(drGrey, 'agreed', 'keep')])
    assert.equal(await again, '409 transition_refused');
  assert.equal((await clinic.findEvents({ call: 'settleOutside' })).length, 1);
});

test('an appointment that was kept off the new grid holds every slot that it reaches into', async () => {
  await change({ periods: [period('09:15', '10:45')] });
  await clinic.book({ time: '09:45' });
  await change({ periods: [period('09:00', '11:00')] });
  assert.deepEqual(await freeOn(clinic.soon), ['09:00', '10:30']);
  const answer = await clinic.requestBooking(ben, { patientemail: ben.email, time: '10:00' });
  assert.deepEqual([answer.status, ((await answer.json()) as Problem).freeTimes], [409, ['09:00', '10:30']]);
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('who is booked on holidays is found from what is stored, by any admin, until it is settled', async () => {
  const days = [0, 1, 4].map((ahead) => addDays(clinic.soon, ahead));
  const [first, second] = [
    await clinic.book({ date: days[0], time: '09:00' }),
    await clinic.book({ date: days[1], time: '09:30', patientemail: ben.email }),
    await clinic.book({ date: days[2], time: '09:00' }),
  ];
  const listed = async () =>
    (await read<OutsideAppointment[]>(clinic.as('admin'), '/doctors/holidays/outside')).map(({ _id, why }) => [
      _id,
      why,
    ]);
  const add = (name: string, from = '') =>
    clinic.as('admin')('/doctors/holidays', { method: 'POST', json: { name, from, until: from } });
  assert.deepEqual(await listed(), []);
  await add('Eid', days[0]);
  await add('Eid, second day', days[1]);
  assert.deepEqual(await listed(), [
    [first._id, ['time']],
    [second._id, ['time']],
  ]);
  assert.equal((await settle(drGrey, first, { seen: seenAt('09:00'), decision: { act: 'keep' } })).status, 200);
  await clinic.setStatus(ben, second._id, 'Cancelled');
  assert.deepEqual(await listed(), []);
  for (const who of [drGrey, ben])
    assert.equal(await verdict(clinic.as(who)('/doctors/holidays/outside')), '403 forbidden');
});

test('visits of nights beside holidays are found once, and without the doctor’s profile until they are kept', async () => {
  await change({ periods: [period('22:00', '02:00', 60)] });
  const on = (ahead: number) => addDays(clinic.soon, ahead);
  const visits = [
    await clinic.book({ date: on(1), time: '22:00' }),
    await clinic.book({ date: on(3), time: '01:00', patientemail: ben.email }),
    await clinic.book({ date: on(4), time: '01:00', patientemail: 'cleo@mail.example' }),
  ];
  for (const date of [on(1), on(2), on(6)])
    await clinic.as('admin')('/doctors/holidays', { method: 'POST', json: { name: date, from: date, until: date } });
  const listed = async () =>
    (await read<OutsideAppointment[]>(clinic.as('admin'), '/doctors/holidays/outside')).map(({ _id }) => _id);
  assert.deepEqual(
    await listed(),
    visits.slice(0, 2).map(({ _id }) => _id),
  );
  await clinic.doctors.deleteMany({});
  const [first] = visits;
  assert.deepEqual(await listed(), [first?._id]);
  const decision = { seen: { ...seenAt('22:00'), date: on(1) }, decision: { act: 'keep' } };
  assert.equal(await verdict(settle('admin', first as Appointment, decision)), '200');
  assert.deepEqual(await listed(), []);
});

test('a holiday closes the clinic for everybody, names who is booked then, and can be removed', async () => {
  const appointment = await clinic.book();
  const add = (who: Who, json: unknown) => clinic.as(who)('/doctors/holidays', { method: 'POST', json });
  const holiday = { name: 'Victory Day', from: clinic.soon, until: addDays(clinic.soon, 1) };
  assert.equal(await verdict(add(drGrey, holiday)), '403 forbidden');
  const answer = await add('admin', holiday);
  assert.equal(answer.status, 201);
  const { holiday: added, outside } = (await answer.json()) as { holiday: Holiday; outside: OutsideAppointment[] };
  assert.deepEqual(
    outside.map(({ _id }) => _id),
    [appointment._id],
  );
  assert.deepEqual(await (await clinic.anonymous('/doctors/holidays')).json(), [added]);
  assert.deepEqual([await freeOn(clinic.soon), await outsideNow()], [[], ['09:00']]);
  const rejected = await clinic.requestBooking(ann, { time: '10:00' });
  assert.deepEqual(
    [rejected.status, ((await rejected.json()) as Problem).errors],
    [400, [{ field: 'date', message: 'The clinic is closed on this day' }]],
  );
  const again = await add('admin', { ...holiday, name: 'Again' });
  const { code, detail } = (await again.json()) as Problem;
  assert.deepEqual(
    [again.status, code, detail],
    [
      409,
      'duplicate',
      `The clinic is already closed then: ${added.name}. Choose other days, or remove that holiday first.`,
    ],
  );
  assert.equal(await verdict(add('admin', { ...holiday, from: addDays(clinic.soon, 2) })), '400 validation_failed');
  assert.equal(
    await verdict(clinic.as(drGrey)(`/doctors/holidays/${added._id}`, { method: 'DELETE' })),
    '403 forbidden',
  );
  const remove = () => clinic.as('admin')(`/doctors/holidays/${added._id}`, { method: 'DELETE' });
  assert.equal((await remove()).status, 204);
  assert.equal(await verdict(remove()), '404 not_found');
  assert.deepEqual([await freeOn(clinic.soon), await outsideNow()], [['09:30', '10:00'], []]);
  const events = await clinic.findEvents({ 'record.type': 'holiday' });
  assert.deepEqual(
    events.map(({ action }) => action),
    ['holiday added', 'holiday removed'],
  );
});

test('admins who add the same holiday at once add it once', async () => {
  const json = { name: 'Eid', from: clinic.soon, until: clinic.soon };
  const verdicts = await Promise.all(
    Array.from({ length: 5 }, () => verdict(clinic.as('admin')('/doctors/holidays', { method: 'POST', json }))),
  );
  assert.deepEqual(verdicts.toSorted(), ['201', ...Array.from({ length: 4 }, () => '409 duplicate')]);
  assert.equal((await read<Holiday[]>(clinic.anonymous, '/doctors/holidays')).length, 1);
});
