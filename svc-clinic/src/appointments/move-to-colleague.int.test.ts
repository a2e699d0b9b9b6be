import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type HistoryEntry, type Problem } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. Gregory House', availableTimes: ['11:00', '11:30'] });
await clinic.addDoctor({ email: 'nobodys@clinic.example', name: 'Dr. Nobody', availableTimes: ['03:07'] }, false);
const later = addDays(clinic.soon, 1);
beforeEach(() => clinic.empty('appointments', 'events', 'persons', 'appointmentTallies'));

const give = (who: Who, id: string, json: object) =>
  clinic.as(who)(`/appoinments/${id}/doctor`, { method: 'PATCH', json });
const toHouse = (more: object = {}) => ({
  doctoremail: drHouse.email,
  date: later,
  time: '11:00',
  patientChoice: 'agreed',
  ...more,
});
const listOf = async (who: typeof drGrey | typeof drHouse): Promise<string[]> =>
  (await read<Appointment[]>(clinic.as(who), `/appoinments?email=${who.email}`)).map(({ _id }) => _id);

test('an admin moves an appointment to a colleague: slot, doctor, lists, figures, calendar and history follow', async () => {
  const { _id } = await clinic.book();
  await clinic.setStatus(drGrey, _id, 'Confirmed');
  const answer = await give('admin', _id, toHouse());
  assert.equal(answer.status, 200);
  const moved = (await answer.json()) as Appointment;
  assert.deepEqual(
    [moved._id, moved.status, moved.doctorname, moved.doctoremail, moved.date, moved.time, moved.patientemail],
    [_id, 'Confirmed', 'Dr. Gregory House', drHouse.email, later, '11:00', ann.email],
  );
  assert.deepEqual([await listOf(drGrey), await listOf(drHouse)], [[], [_id]]);
  assert.equal(await verdict(clinic.setStatus(drGrey, _id, 'Cancelled')), '403 forbidden');
  assert.equal(await verdict(clinic.as(drHouse)(`/appoinments/${_id}/history`)), '200');
  await clinic.book({ patientemail: ben.email });

  const [latest] = await read<HistoryEntry[]>(clinic.as(ann), `/appoinments/${_id}/history`);
  assert.deepEqual(
    [latest?.action, latest?.before, latest?.after],
    [
      'moved to a colleague',
      { doctorname: 'Dr. Meredith Grey', doctoremail: drGrey.email, date: clinic.soon, time: '09:00' },
      {
        doctorname: 'Dr. Gregory House',
        doctoremail: drHouse.email,
        date: later,
        time: '11:00',
        patientChoice: 'agreed',
      },
    ],
  );
  const event = await clinic.db.collection('events').findOne({ action: 'moved to a colleague' });
  assert.deepEqual(
    event?.['accounts'].toSorted(),
    [ann, drGrey, drHouse, admin].map(({ email }) => clinic.issuer.idOf(email)).toSorted(),
  );
  const { byDoctor } = await read<AppointmentReport>(
    clinic.as('admin'),
    `/appoinments/report?from=${clinic.soon}&to=${later}`,
  );
  assert.deepEqual(byDoctor.map(({ email, confirmed, pending }) => `${email} ${confirmed} ${pending}`).toSorted(), [
    `${drGrey.email} 0 1`,
    `${drHouse.email} 1 0`,
  ]);
  assert.match(
    await (await clinic.as(ann)(`/appoinments/${_id}/calendar`)).text(),
    /SEQUENCE:2\r\n[\s\S]*SUMMARY:Appointment with Dr. Gregory House/,
  );
  assert.deepEqual(
    (await read<Appointment[]>(clinic.as('admin'), '/appoinments?q=house')).map((each) => each._id),
    [_id],
  );
});

test('a repeat changes nothing, and a colleague without an account can take over too', async () => {
  const { _id } = await clinic.book();
  assert.equal(await verdict(give('admin', _id, toHouse())), '200');
  assert.equal(await verdict(give('admin', _id, toHouse())), '200');
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'moved to a colleague' }), 1);
  assert.equal(
    await verdict(
      give('admin', _id, {
        doctoremail: 'nobodys@clinic.example',
        date: later,
        time: '03:07',
        patientChoice: 'not asked',
      }),
    ),
    '200',
  );
  const record = await clinic.appointments.findOne({});
  assert.deepEqual(
    [record && 'doctorAccountId' in record, record?.accounts, record?.sequence],
    [false, [clinic.issuer.idOf(ann.email)], 2],
  );
});

test('rejects held slots, wrong doctors or times, cancelled appointments and other people, and changes nothing', async () => {
  const { _id } = await clinic.book();
  await clinic.book({ patientemail: ben.email, doctoremail: drHouse.email, date: later, time: '11:00' });
  const held = await give('admin', _id, toHouse());
  const { code, freeTimes } = (await held.json()) as Problem;
  assert.deepEqual([held.status, code, freeTimes], [409, 'slot_taken', ['11:30']]);
  const fieldsOf = async (json: object) =>
    ((await (await give('admin', _id, json)).json()) as Problem).errors?.map(({ field }) => field);
  assert.deepEqual(await fieldsOf(toHouse({ doctoremail: drGrey.email, time: '10:00' })), ['doctoremail']);
  assert.deepEqual(await fieldsOf(toHouse({ doctoremail: 'unknown@clinic.example' })), ['doctoremail']);
  assert.deepEqual(await fieldsOf(toHouse({ time: '09:00' })), ['time']);
  assert.deepEqual(await fieldsOf(toHouse({ date: addDays(clinic.today, -1) })), ['date']);
  assert.deepEqual(await fieldsOf(toHouse({ patientChoice: 'maybe' })), ['patientChoice']);
  for (const who of [ann, drGrey, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(give(who, _id, toHouse({ time: '11:30' }))), '403 forbidden');
  assert.equal(
    await verdict(clinic.anonymous(`/appoinments/${_id}/doctor`, { method: 'PATCH', json: toHouse() })),
    '401 unauthenticated',
  );
  assert.equal(await verdict(give('admin', 'f'.repeat(24), toHouse({ time: '11:30' }))), '404 not_found');
  const record = await clinic.appointments.findOne({ patientEmail: ann.email });
  assert.deepEqual(
    [record?.doctorEmail, record?.date, record?.time, record?.sequence],
    [drGrey.email, clinic.soon, '09:00', undefined],
  );
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'moved to a colleague' }), 0);
  await clinic.setStatus(ann, _id, 'Cancelled');
  assert.equal(await verdict(give('admin', _id, toHouse({ time: '11:30' }))), '409 transition_refused');
});

test('of ten appointments moved to one slot at once, one gets it and the others stay', async () => {
  const booked = [];
  for (let day = 0; day < 10; day += 1)
    booked.push(await clinic.book({ patientemail: `patient${day}@mail.example`, date: addDays(clinic.soon, day) }));
  const verdicts = await Promise.all(booked.map(({ _id }) => verdict(give('admin', _id, toHouse({ time: '11:30' })))));
  assert.deepEqual(verdicts.toSorted(), ['200', ...Array.from({ length: 9 }, () => '409 slot_taken')]);
  assert.equal(await clinic.appointments.countDocuments({ doctorEmail: drHouse.email }), 1);
  assert.equal(await clinic.appointments.countDocuments({ doctorEmail: drGrey.email, time: '09:00' }), 9);
});
