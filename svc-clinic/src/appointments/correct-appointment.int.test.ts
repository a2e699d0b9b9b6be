import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { HistoryEntry, Problem } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. Gregory House' });
beforeEach(() => clinic.empty('appointments', 'events', 'persons'));

const correct = (who: Who, id: string, json: object) =>
  clinic.as(who)(`/appoinments/${id}/details`, { method: 'PATCH', json });

test('staff correct a misspelt name and a wrong number: lists, search and history follow', async () => {
  const booked = await clinic.book();
  const answer = await correct(drGrey, booked._id, { patientname: 'Anne Leigh', number: '+880 1555 000009' });
  assert.equal(answer.status, 200);
  const corrected = (await answer.json()) as Appointment;
  assert.deepEqual(corrected, {
    ...booked,
    patientname: 'Anne Leigh',
    number: '+880 1555 000009',
    changeUntil: corrected.changeUntil,
    you: ['doctor'],
  });
  assert.deepEqual(
    (await read<Appointment[]>(clinic.as('admin'), '/appoinments?q=leigh')).map(({ _id }) => _id),
    [booked._id],
  );
  const [latest] = await read<HistoryEntry[]>(clinic.as('admin'), `/appoinments/${booked._id}/history`);
  assert.deepEqual(
    [latest?.action, latest?.before, latest?.after],
    [
      'details corrected',
      { patientname: booked.patientname, number: booked.number },
      { patientname: 'Anne Leigh', number: '+880 1555 000009' },
    ],
  );
  assert.equal(await verdict(correct('admin', booked._id, { patientname: 'Anne Leigh' })), '200');
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'details corrected' }), 1);
});

test('rejects patients, other doctors, bad values and unknown fields, and changes nothing', async () => {
  const { _id } = await clinic.book();
  const before = await clinic.appointments.findOne({});
  for (const who of [ann, ben, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(correct(who, _id, { patientname: 'Mallory' })), '403 forbidden');
  assert.equal(
    await verdict(clinic.anonymous(`/appoinments/${_id}/details`, { method: 'PATCH', json: { age: 3 } })),
    '401 unauthenticated',
  );
  assert.equal(await verdict(correct('admin', 'f'.repeat(24), { age: 3 })), '404 not_found');
  const fieldsOf = async (json: object) =>
    ((await (await correct('admin', _id, json)).json()) as Problem).errors?.map(({ field }) => field);
  assert.deepEqual(await fieldsOf({ patientname: ' ' }), ['patientname']);
  assert.deepEqual(await fieldsOf({ number: 'call me' }), ['number']);
  assert.deepEqual(await fieldsOf({ age: 0 }), ['age']);
  assert.equal(await verdict(correct('admin', _id, {})), '400 validation_failed');
  assert.equal(await verdict(correct('admin', _id, { patientemail: ben.email })), '400 validation_failed');
  assert.deepEqual(await clinic.appointments.findOne({}), before);
});

test('the details of a deleted person stay deleted', async () => {
  const { _id } = await clinic.book();
  const erased = `deleted-${'a'.repeat(24)}@deleted.invalid`;
  await clinic.appointments.updateOne({}, { $set: { patientEmail: erased, patientName: 'Deleted person' } });
  assert.equal(await verdict(correct('admin', _id, { patientname: 'Ann Lee' })), '409 transition_refused');
  assert.equal((await clinic.appointments.findOne({}))?.patientName, 'Deleted person');
});

test('ten corrections at once: each that is accepted is in the history, and none undoes another field', async () => {
  const { _id, age } = await clinic.book();
  const verdicts = await Promise.all([
    ...Array.from({ length: 5 }, (_, index) => verdict(correct('admin', _id, { patientname: `Ann ${index} Lee` }))),
    ...Array.from({ length: 5 }, (_, index) => verdict(correct(drGrey, _id, { number: `+880 1555 00000${index}` }))),
  ]);
  assert.ok(verdicts.every((one) => one === '200' || one === '409 transition_refused'));
  const accepted = verdicts.filter((one) => one === '200').length;
  assert.ok(accepted >= 1);
  const events = await clinic.findEvents({ action: 'details corrected' });
  assert.equal(events.length, accepted);
  const last = (field: string): unknown =>
    events.findLast((event) => event['after'][field] !== undefined)?.['after'][field];
  const record = await clinic.appointments.findOne({});
  const booked = events.find((event) => event['before'])?.['before'];
  assert.ok(booked);
  assert.equal(record?.age, age);
  if (last('patientname') !== undefined) assert.equal(record?.patientName, last('patientname'));
  if (last('number') !== undefined) assert.equal(record?.phone, last('number'));
});

test('of ten who correct the number that they saw one does, who may repeat it; older front-ends still replace it', async () => {
  const { _id, number } = await clinic.book();
  const numbers = Array.from({ length: 10 }, (_, index) => `+880 1555 00000${index}`);
  const replace = (by: string, seen?: object) => verdict(correct('admin', _id, { number: by, seen }));
  const verdicts = await Promise.all(numbers.map((by) => replace(by, { number })));
  const winner = numbers[verdicts.indexOf('200')] ?? assert.fail(verdicts.join());
  assert.deepEqual(verdicts.toSorted(), ['200', ...numbers.slice(1).map(() => '409 transition_refused')]);
  assert.equal((await clinic.appointments.findOne({}))?.phone, winner);
  assert.equal(await replace(winner, { number }), '200');
  assert.equal(await replace('+880 1555 000010', { number }), '409 transition_refused');
  assert.equal((await clinic.findEvents({ action: 'details corrected' })).length, 1);
  assert.equal(await verdict(correct('admin', _id, { seen: { number: winner } })), '400 validation_failed');
  assert.equal(await replace('+880 1555 000010'), '200');
});
