import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ObjectId } from 'mongodb';
import { addDays, formatDate, type CallBody, type Problem } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';

const wilson = 'wilson@clinic.example';
const cuddy = 'cuddy@clinic.example';

const clinic = await sharedClinic();
await clinic.addDoctor();
for (const [name, email] of [
  ['Dr. House', drHouse.email],
  ['Dr. Wilson', wilson],
  ['Dr. Cuddy', cuddy],
] as const)
  await clinic.addDoctor({ name, email });
const later = addDays(clinic.soon, 1);
beforeEach(() => clinic.empty('appointments', 'events', 'persons', 'appointmentTallies'));

/** Gives a doctor half an hour at a time, whichever it is. */
const open = (email: string, time = '09:00', minutes = 30) =>
  clinic.doctors.updateOne({ email }, { $set: hoursAt([time], minutes) });
type Fields = Partial<CallBody<'bookAppointment'>>;
async function book(fields: Fields = {}): Promise<Appointment> {
  await open(fields.doctoremail ?? drGrey.email, fields.time);
  return clinic.book(fields);
}
async function requestBooking(who: Who, fields: Fields = {}): Promise<Response> {
  await open(fields.doctoremail ?? drGrey.email, fields.time);
  return clinic.requestBooking(who, fields);
}
async function move(who: Who, id: string, json: { readonly date: string; readonly time: string; alsoThen?: boolean }) {
  const record = await clinic.appointments.findOne({ _id: new ObjectId(id) });
  await open(record?.doctorEmail ?? '', json.time);
  return clinic.as(who)(`/appoinments/${id}`, { method: 'PATCH', json });
}
const reschedule = (who: Who, id: string, date: string, time: string) => move(who, id, { date, time });
const problemOf = async (answer: Response): Promise<Problem> => (await answer.json()) as Problem;
const held = async () =>
  (
    await clinic.appointments
      .find({ status: { $ne: 'Cancelled' } })
      .sort({ date: 1, time: 1, doctorEmail: 1 })
      .toArray()
  ).map(({ doctorEmail, date, time }) => `${doctorEmail} ${date} ${time}`);
const events = () => clinic.db.collection('events').countDocuments({});

test('a second doctor at the same time is rejected naming the other appointment; once confirmed it is booked', async () => {
  await book();
  const answer = await requestBooking(ann, { doctoremail: drHouse.email });
  const { status, code, detail, errors, sameTime } = await problemOf(answer);
  const text = `You already have another appointment at this time: Dr. Meredith Grey, ${formatDate(clinic.soon)} at 9:00 AM. Choose another time, or call the clinic if you need both.`;
  // Earlier front-ends show this code and field error.
  assert.deepEqual(
    [answer.status, status, code, detail, errors],
    [409, 409, 'too_many_appointments', text, [{ field: 'time', message: text }]],
  );
  assert.deepEqual(sameTime, {
    others: [{ doctorname: 'Dr. Meredith Grey', date: clinic.soon, time: '09:00' }],
    canConfirm: true,
  });
  assert.equal(
    await verdict(requestBooking(ann, { doctoremail: drHouse.email, alsoThen: false })),
    '409 too_many_appointments',
  );
  assert.deepEqual([await held(), await events()], [[`${drGrey.email} ${clinic.soon} 09:00`], 1]);
  assert.equal(await verdict(requestBooking(ann, { doctoremail: drHouse.email, alsoThen: true })), '201');
  assert.deepEqual([(await held()).length, await events()], [2, 2]);
});

test('a third at the same time is rejected, confirmed or not, for admins too', async () => {
  await book();
  await book({ doctoremail: drHouse.email, alsoThen: true });
  for (const who of [ann, admin]) {
    for (const alsoThen of [undefined, true]) {
      const answer = await requestBooking(who, { doctoremail: wilson, alsoThen });
      const { code, detail, sameTime } = await problemOf(answer);
      assert.deepEqual(
        [answer.status, code, sameTime?.canConfirm, sameTime?.others.length],
        [409, 'too_many_appointments', false, 2],
      );
      const when = `${formatDate(clinic.soon)} at 9:00 AM`;
      assert.equal(
        detail,
        `${who === ann ? 'You already have' : 'This patient already has'} 2 appointments at this time (Dr. House, ${when}; Dr. Meredith Grey, ${when}), the most allowed. Choose another time.`,
      );
    }
  }
  assert.deepEqual([(await held()).length, await events()], [2, 2]);
});

for (const [time, verdicts] of Object.entries({
  '09:01': '409',
  '09:29': '409',
  '09:30': '201',
  '08:31': '409',
  '08:30': '201',
})) {
  test(`beside an appointment at nine, a booking at ${time} gets ${verdicts}`, async () => {
    await book();
    assert.equal((await requestBooking(ann, { doctoremail: drHouse.email, time })).status, Number(verdicts));
  });
}

test('appointments can overlap across midnight', async () => {
  await book({ time: '23:45' });
  assert.equal(
    await verdict(requestBooking(ann, { doctoremail: drHouse.email, date: later, time: '00:10' })),
    '409 too_many_appointments',
  );
  assert.equal(await verdict(requestBooking(ann, { doctoremail: drHouse.email, date: later, time: '00:15' })), '201');
});

test('a confirmed appointment may overlap two that don’t overlap each other, as there are never three at once', async () => {
  await book({ time: '09:00' });
  await book({ time: '09:40', doctoremail: drHouse.email });
  const question = await problemOf(await requestBooking(ann, { doctoremail: wilson, time: '09:20' }));
  assert.deepEqual(question.sameTime, {
    canConfirm: true,
    others: [
      { doctorname: 'Dr. Meredith Grey', date: clinic.soon, time: '09:00' },
      { doctorname: 'Dr. House', date: clinic.soon, time: '09:40' },
    ],
  });
  assert.equal(await verdict(requestBooking(ann, { doctoremail: wilson, time: '09:20', alsoThen: true })), '201');
  assert.equal(
    await verdict(requestBooking(ann, { doctoremail: cuddy, time: '09:25', alsoThen: true })),
    '409 too_many_appointments',
  );
});

test('cancelled appointments, adjacent ones with the same doctor, and other patients’ need no confirmation', async () => {
  const { _id } = await book();
  await clinic.setStatus(ann, _id, 'Cancelled');
  await book({ doctoremail: drHouse.email });
  await book({ doctoremail: drHouse.email, time: '09:30' });
  await book({ patientemail: ben.email, doctoremail: wilson });
});

test('a taken slot is reported before asking for confirmation', async () => {
  await book();
  await book({ patientemail: ben.email, doctoremail: drHouse.email });
  assert.equal(await verdict(requestBooking(ann, { doctoremail: drHouse.email })), '409 slot_taken');
});

test('a move needs confirmation too, ignores the moved appointment itself, and changes nothing until confirmed', async () => {
  await book();
  const { _id } = await book({ doctoremail: drHouse.email, date: later });
  assert.equal(await verdict(reschedule(ann, _id, later, '09:05')), '200');
  const answer = await move(ann, _id, { date: clinic.soon, time: '09:15' });
  const { code, sameTime } = await problemOf(answer);
  assert.deepEqual(
    [answer.status, code, sameTime],
    [
      409,
      'too_many_appointments',
      { others: [{ doctorname: 'Dr. Meredith Grey', date: clinic.soon, time: '09:00' }], canConfirm: true },
    ],
  );
  assert.deepEqual(
    [await held(), await events()],
    [[`${drGrey.email} ${clinic.soon} 09:00`, `${drHouse.email} ${later} 09:05`], 3],
  );
  assert.equal(await verdict(move(ann, _id, { date: clinic.soon, time: '09:15', alsoThen: true })), '200');
  const third = await book({ doctoremail: wilson, date: later });
  assert.equal(
    await verdict(move(ann, third._id, { date: clinic.soon, time: '09:20', alsoThen: true })),
    '409 too_many_appointments',
  );
  assert.deepEqual(await held(), [
    `${drGrey.email} ${clinic.soon} 09:00`,
    `${drHouse.email} ${clinic.soon} 09:15`,
    `${wilson} ${later} 09:00`,
  ]);
});

test('a doctor moving an appointment sees that there is another, but not with whom; an admin sees both', async () => {
  await book();
  const { _id } = await book({ doctoremail: drHouse.email, date: later });
  const requested = { date: clinic.soon, time: '09:00' };
  const toDoctor = await (await move(drHouse, _id, requested)).text();
  assert.deepEqual((JSON.parse(toDoctor) as Problem).sameTime, { others: [requested], canConfirm: true });
  assert.match(toDoctor, /This patient already has another appointment at this time/);
  assert.doesNotMatch(toDoctor, /Grey/i);
  assert.equal(
    (await problemOf(await move(admin, _id, requested))).sameTime?.others[0]?.doctorname,
    'Dr. Meredith Grey',
  );
  assert.equal(await verdict(move(drHouse, _id, { ...requested, alsoThen: true })), '200');
});

test('an admin must confirm when booking for a patient, with or without an account, and when moving to a colleague at another time', async () => {
  await book();
  const question = await problemOf(await requestBooking(admin, { doctoremail: drHouse.email }));
  assert.deepEqual(
    [question.code, question.sameTime?.others[0]?.doctorname],
    ['too_many_appointments', 'Dr. Meredith Grey'],
  );
  const nobody = { patientemail: 'walk-in@mail.example' };
  assert.equal(await verdict(requestBooking(admin, { ...nobody, doctoremail: drHouse.email })), '201');
  assert.equal(await verdict(requestBooking(admin, { ...nobody, doctoremail: wilson })), '409 too_many_appointments');

  const { _id } = await book({ doctoremail: drHouse.email, date: later });
  const give = async (json: object) => {
    await open(wilson, '09:10');
    return clinic.as(admin)(`/appoinments/${_id}/doctor`, {
      method: 'PATCH',
      json: { doctoremail: wilson, patientChoice: 'agreed', ...json },
    });
  };
  assert.equal(await verdict(give({ date: clinic.soon, time: '09:10' })), '409 too_many_appointments');
  assert.equal((await clinic.appointments.findOne({ date: later }))?.doctorEmail, drHouse.email);
  assert.equal(await verdict(give({ date: clinic.soon, time: '09:10', alsoThen: true })), '200');
});

test('of concurrent bookings with four doctors at one time, one succeeds unconfirmed, two confirmed', async () => {
  const doctors = [drGrey.email, drHouse.email, wilson, cuddy];
  for (const [alsoThen, most] of [
    [undefined, 1],
    [true, 2],
  ] as const) {
    for (let round = 0; round < 5; round += 1) {
      await clinic.appointments.deleteMany({});
      // Half by the patient, half by an admin, who doesn't hold the patient's lock as a caller.
      const verdicts = await Promise.all(
        doctors.map((doctoremail, index) =>
          verdict(requestBooking(index % 2 === 0 ? ann : admin, { doctoremail, time: `09:0${index}`, alsoThen })),
        ),
      );
      assert.deepEqual(verdicts.toSorted(), [
        ...Array<string>(most).fill('201'),
        ...Array<string>(4 - most).fill('409 too_many_appointments'),
      ]);
      assert.equal((await held()).length, most);
    }
  }
});

test('a concurrent booking and move to the same time don’t both succeed', async () => {
  for (let round = 0; round < 8; round += 1) {
    await clinic.appointments.deleteMany({});
    const { _id } = await book({ date: later });
    const verdicts = await Promise.all([
      verdict(reschedule(drGrey, _id, clinic.soon, '09:00')),
      verdict(requestBooking(ann, { doctoremail: drHouse.email, time: '09:10' })),
    ]);
    assert.equal(verdicts.filter((one) => one === '409 too_many_appointments').length, 1, verdicts.join());
    assert.equal((await held()).filter((one) => one.includes(clinic.soon)).length, 1);
  }
});

test('concurrent bookings and moves for a patient without an account can’t exceed the limit', async () => {
  const nobody = { patientemail: 'walk-in@mail.example' };
  for (let round = 0; round < 5; round += 1) {
    await clinic.appointments.deleteMany({});
    const { _id } = (await (await requestBooking(admin, { ...nobody, date: later })).json()) as Appointment;
    const verdicts = await Promise.all([
      verdict(reschedule(drGrey, _id, clinic.soon, '09:00')),
      ...[drHouse.email, wilson].map((doctoremail) => verdict(requestBooking(admin, { ...nobody, doctoremail }))),
    ]);
    assert.equal(verdicts.filter((one) => one === '409 too_many_appointments').length, 2, verdicts.join());
    assert.equal((await held()).filter((one) => one.includes(clinic.soon)).length, 1);
  }
});

test('appointments are compared by their own lengths: ten minutes beside ten, and within a visit of eight hours', async () => {
  await open(drGrey.email, '11:00', 10);
  assert.equal(await verdict(clinic.requestBooking(ann, { time: '11:00' })), '201');
  await open(drHouse.email, '11:10', 10);
  assert.equal(await verdict(clinic.requestBooking(ann, { doctoremail: drHouse.email, time: '11:10' })), '201');
  await open(wilson, '08:00', 480);
  assert.equal(
    await verdict(clinic.requestBooking(ben, { patientemail: ben.email, doctoremail: wilson, time: '08:00' })),
    '201',
  );
  await open(cuddy, '15:50', 10);
  const answer = await clinic.requestBooking(ben, { patientemail: ben.email, doctoremail: cuddy, time: '15:50' });
  assert.deepEqual((await problemOf(answer)).sameTime?.others[0]?.time, '08:00');
  await open(cuddy, '16:00', 10);
  assert.equal(
    await verdict(clinic.requestBooking(ben, { patientemail: ben.email, doctoremail: cuddy, time: '16:00' })),
    '201',
  );
});

test('a colleague whose visits are longer needs confirmation even at the same time', async () => {
  const { _id } = await book();
  await book({ doctoremail: drHouse.email, time: '09:30' });
  await open(wilson, '09:00', 60);
  const give = clinic.as(admin)(`/appoinments/${_id}/doctor`, {
    method: 'PATCH',
    json: { doctoremail: wilson, date: clinic.soon, time: '09:00', patientChoice: 'agreed' },
  });
  assert.equal(await verdict(give), '409 too_many_appointments');
});
