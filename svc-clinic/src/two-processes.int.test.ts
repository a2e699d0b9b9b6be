import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Appointment } from './contract/schemas.ts';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { admin, ann, ben, drGrey } from './testing/people.ts';
import { verdict } from './testing/test-clinic.ts';
import { listenForChanges } from './testing/listen.ts';
import { replicatedClinic } from './testing/service-process.ts';

const { clinic, startReplica } = await replicatedClinic({ CLINIC_MAX_CHANGES_PER_DAY: '1000' });
await clinic.addDoctor();
const later = addDays(clinic.soon, 1);
const replicas = await Promise.all([startReplica(), startReplica()]);
beforeEach(() => clinic.empty('appointments', 'events'));

test('of fifty concurrent bookings of one slot, over two processes, exactly one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const email = `patient${index}@mail.example`;
      const replica = replicas[index % 2 === 0 ? 0 : 1];
      return untilServed(() =>
        replica.as({ role: 'patient', email })('/appoinments', {
          method: 'POST',
          json: clinic.booking({ patientemail: email }),
          headers: { 'Idempotency-Key': `key-${index}` },
        }),
      );
    }),
  );
  const verdicts = await Promise.all(answers.map((answer) => verdict(answer.clone())));
  assert.deepEqual(verdicts.toSorted(), ['201', ...Array.from({ length: 49 }, () => '409 slot_taken')]);
  const winner = (await answers.find(({ status }) => status === 201)?.json()) as Appointment;
  assert.deepEqual(
    (await clinic.appointments.find({}).toArray()).map((row) => row._id.toHexString()),
    [winner._id],
  );
  assert.equal(await clinic.db.collection('events').countDocuments({}), 1);
});

test('of two moves to one slot, through two processes, exactly one succeeds', async () => {
  for (let round = 0; round < 10; round += 1) {
    await clinic.appointments.deleteMany({});
    const first = await clinic.book({ time: '09:00' });
    const second = await clinic.book({ time: '09:30', patientemail: ben.email });
    const verdicts = await Promise.all([
      verdict(replicas[0].reschedule(ann, first._id, later, '10:00')),
      verdict(replicas[1].reschedule(drGrey, second._id, later, '10:00')),
    ]);
    assert.deepEqual(verdicts.toSorted(), ['200', '409 slot_taken']);
    const held = (await clinic.appointments.find({}).sort({ time: 1 }).toArray()).map(
      ({ date, time }) => `${date} ${time}`,
    );
    assert.deepEqual(held, [verdicts[0] === '200' ? `${clinic.soon} 09:30` : `${clinic.soon} 09:00`, `${later} 10:00`]);
    const moved = verdicts[0] === '200' ? [2, 1] : [1, 2];
    assert.deepEqual([(await clinic.eventsOf(first._id)).length, (await clinic.eventsOf(second._id)).length], moved);
  }
});

test('two appointments swapping slots at once never share one', async () => {
  const first = await clinic.book({ time: '09:00' });
  const second = await clinic.book({ time: '09:30', patientemail: ben.email });
  const verdicts = await Promise.all([
    verdict(replicas[0].reschedule(ann, first._id, clinic.soon, '09:30')),
    verdict(replicas[1].reschedule(ben, second._id, clinic.soon, '09:00')),
  ]);
  assert.deepEqual(verdicts, ['409 slot_taken', '409 slot_taken']);
  assert.deepEqual(
    (await clinic.appointments.find({}).sort({ time: 1 }).toArray()).map(({ time }) => time),
    ['09:00', '09:30'],
  );
});

test('a cancellation that races a confirmation, through two processes, wins, with a consistent history', async () => {
  for (let round = 0; round < 10; round += 1) {
    await clinic.appointments.deleteMany({});
    const { _id } = await clinic.book();
    const [cancelled, confirmed] = await Promise.all([
      verdict(replicas[0].setStatus(ann, _id, 'Cancelled')),
      verdict(replicas[1].setStatus(drGrey, _id, 'Confirmed')),
    ]);
    assert.equal(cancelled, '200');
    assert.equal((await clinic.appointments.findOne({}))?.status, 'Cancelled');
    const steps = (await clinic.eventsOf(_id))
      .slice(1)
      .map(({ before: was, after: is }) => `${was.status} ${is.status}`);
    assert.deepEqual(steps, confirmed === '200' ? ['Pending Confirmed', 'Confirmed Cancelled'] : ['Pending Cancelled']);
    if (confirmed !== '200') assert.equal(confirmed, '409 transition_refused');
  }
});

test(
  'a doctor listening at one process is notified of a booking through the other; strangers aren’t',
  { timeout: 120_000 },
  async () => {
    const listening = new AbortController();
    const { signal } = listening;
    const [doctorReceives, strangerReceives, adminReceives] = await Promise.all([
      listenForChanges(replicas[1], drGrey, signal),
      listenForChanges(replicas[1], ben, signal),
      listenForChanges(replicas[0], admin, signal),
    ]);
    await doctorReceives(/event: ready/);
    const appointment = clinic.booking();
    assert.equal(await verdict(replicas[0].as(ann)('/appoinments', { method: 'POST', json: appointment })), '201');
    const shown = await doctorReceives(/event: change\ndata: .*\n/);
    assert.match(
      shown,
      /data: \{"lists":\["listAppointments","listUnconfirmedAppointments","listAppointmentsOutsideTimes","listVisitsOnHolidays","getClinicCalendar","getDay","listOpenQuestions"\]\}/,
    );
    assert.ok(!shown.includes(appointment.patientname), 'a message contains data');
    await adminReceives(/event: change/);
    const holiday = { name: 'Eid', from: clinic.soon, until: clinic.soon };
    assert.equal(await verdict(clinic.as(admin)('/doctors/holidays', { method: 'POST', json: holiday })), '201');
    await adminReceives(/"lists":\["getClinicCalendar","listAppointmentsOutsideTimes","listVisitsOnHolidays"\]/);
    assert.ok(!(await strangerReceives(/event: beat/)).includes('event: change'));
    listening.abort();
    assert.equal(await verdict(clinic.anonymous('/appoinments/changes')), '401 unauthenticated');
  },
);

test('a stream ends with its session', { timeout: 120_000 }, async () => {
  const answer = await clinic.as(ben)('/appoinments/changes');
  clinic.issuer.tell({ sub: clinic.issuer.idOf(ben.email), ver: 2 });
  assert.match(await answer.text(), /^id: \d+\nevent: ready\ndata: {}\n\nid: \d+\nevent: session\ndata: {}\n\n$/);
});
