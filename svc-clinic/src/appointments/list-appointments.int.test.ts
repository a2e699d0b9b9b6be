import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import { firstToCome } from '../clinic-clock.ts';
import type { Appointment } from '../contract/schemas.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, startTestClinic, storedAppointment, verdict, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ name: 'Dr. Gregory House', email: drHouse.email });
await clinic.book({ time: '09:30' });
await clinic.book({ time: '09:00', patientname: 'Ben Çelik-Öz', patientemail: ben.email });
await clinic.book({ date: addDays(clinic.soon, 1), doctoremail: drHouse.email });
// Doctors are patients too.
const own = await clinic.book({
  date: addDays(clinic.soon, 2),
  doctoremail: drHouse.email,
  patientname: 'Meredith Grey',
  patientemail: drGrey.email,
});
await clinic.as('admin')(`/update-appoinment/${own._id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } });

async function list(who: Who, path: string): Promise<string[]> {
  const answer = await clinic.as(who)(path);
  assert.equal(answer.status, 200, path);
  return ((await answer.json()) as Appointment[]).map(
    ({ patientname, date, time }) =>
      `${patientname} +${(Date.parse(date) - Date.parse(clinic.soon)) / 86_400_000} ${time}`,
  );
}

const all = ['Meredith Grey +2 09:00', 'Ann Lee +1 09:00', 'Ann Lee +0 09:30', 'Ben Çelik-Öz +0 09:00'];

test('an admin gets all appointments, latest first', async () => {
  assert.deepEqual(await list('admin', '/appoinments'), all);
  assert.deepEqual(await list('admin', '/appoinments?sort=date'), all.toReversed());
});

test('an email lists the appointments where it is patient or doctor', async () => {
  assert.deepEqual(await list(ann, `/appoinments?email=${ann.email}`), ['Ann Lee +1 09:00', 'Ann Lee +0 09:30']);
  assert.deepEqual(await list(drGrey, `/appoinments?email=${drGrey.email.toUpperCase()}`), [
    'Meredith Grey +2 09:00',
    'Ann Lee +0 09:30',
    'Ben Çelik-Öz +0 09:00',
  ]);
  assert.deepEqual(await list(drHouse, `/appoinments?email=${drHouse.email}`), [
    'Meredith Grey +2 09:00',
    'Ann Lee +1 09:00',
  ]);
});

test('unconfirmed lists the doctor’s pending ones, soonest first', async () => {
  assert.deepEqual(await list(drGrey, `/appoinments/unconfirmed?email=${drGrey.email}`), [
    'Ben Çelik-Öz +0 09:00',
    'Ann Lee +0 09:30',
  ]);
  assert.deepEqual(await list(drHouse, `/appoinments/unconfirmed?email=${drHouse.email}`), ['Ann Lee +1 09:00']);
  assert.deepEqual(await list('admin', `/appoinments/unconfirmed?email=${drHouse.email}`), ['Ann Lee +1 09:00']);
  assert.deepEqual(await list(drGrey, `/appoinments/unconfirmed?email=${drGrey.email}&status=Confirmed`), []);
});

test('status and word prefixes narrow a list', async () => {
  assert.deepEqual(await list('admin', '/appoinments?status=Confirmed'), ['Meredith Grey +2 09:00']);
  assert.deepEqual(await list('admin', '/appoinments?q=BEN'), ['Ben Çelik-Öz +0 09:00']);
  assert.deepEqual(await list('admin', `/appoinments?q=${encodeURIComponent('öz çel')}`), ['Ben Çelik-Öz +0 09:00']);
  assert.deepEqual(await list('admin', '/appoinments?q=house%20ann'), ['Ann Lee +1 09:00']);
  assert.deepEqual(await list('admin', '/appoinments?q=ben@mail.example'), ['Ben Çelik-Öz +0 09:00']);
  assert.deepEqual(await list('admin', '/appoinments?q=.*'), []);
  assert.deepEqual(await list(drGrey, `/appoinments?email=${drGrey.email}&q=ann&status=Pending`), ['Ann Lee +0 09:30']);
});

test('a search without a letter or digit finds nothing', async () => {
  for (const q of ['---', '.', '\u200b', '🧑'])
    assert.deepEqual(await list('admin', `/appoinments?q=${encodeURIComponent(q)}`), [], q);
});

test('everybody sees only their own appointments', async () => {
  assert.equal(await verdict(clinic.anonymous('/appoinments')), '401 unauthenticated');
  for (const who of [ann, drGrey, 'pharmacist'] as const)
    assert.equal(await verdict(clinic.as(who)('/appoinments')), '403 forbidden');
  assert.equal(await verdict(clinic.as(ben)(`/appoinments?email=${ann.email}`)), '403 forbidden');
  assert.equal(await verdict(clinic.as(drGrey)(`/appoinments?email=${ann.email}`)), '403 forbidden');
  assert.equal(await verdict(clinic.as(drGrey)(`/appoinments/unconfirmed?email=${drHouse.email}`)), '403 forbidden');
  // A patient isn't a doctor, whatever their email.
  assert.equal(await verdict(clinic.as(ann)(`/appoinments/unconfirmed?email=${ann.email}`)), '403 forbidden');
});

test('upcoming and past appointments are separated by the minute, and open ones leave out the cancelled', async () => {
  const two = await startTestClinic();
  try {
    await two.addDoctor({ availableTimes: [] });
    const { date, time: now } = firstToCome(new Date(Date.now() + 120_000), 'Asia/Dhaka');
    const insert = async (day: string, time: string, status: Appointment['status'] = 'Confirmed') =>
      two.appointments.insertOne(
        storedAppointment(
          {
            patientName: `${status} ${day === date ? 'today' : day < date ? 'before' : 'after'} ${time}`,
            patientId: two.issuer.idOf(ann.email),
            date: day,
            time,
            status,
          },
          // So that one just before midnight is over by then.
          { minutes: 1 },
        ),
      );
    // Two minutes ahead, so that the test's own duration doesn't matter; at midnight "today" is the new day.
    await insert(addDays(date, -2), '23:59');
    await insert(addDays(date, -2), '10:00', 'Cancelled');
    await insert(date, now);
    await insert(addDays(date, 1), '00:00');
    await insert(addDays(date, 1), '10:00', 'Cancelled');
    const read = async (query: string) =>
      ((await (await two.as(ann)(`/appoinments?email=${ann.email}&${query}`)).json()) as Appointment[]).map(
        ({ patientname }) => patientname,
      );
    assert.deepEqual(await read('open=true&when=coming&sort=date'), [
      `Confirmed today ${now}`,
      'Confirmed after 00:00',
    ]);
    assert.deepEqual(await read('open=true&when=past'), ['Confirmed before 23:59']);
    assert.deepEqual(await read('when=past&limit=1'), ['Confirmed before 23:59']);
    assert.deepEqual(await read('status=Cancelled'), ['Cancelled after 10:00', 'Cancelled before 10:00']);
    assert.deepEqual(await read('status=Cancelled&open=true'), []);
    assert.equal(await verdict(two.as(ann)(`/appoinments?email=${ann.email}&when=soon`)), '400 validation_failed');
    assert.equal(await verdict(two.as(ann)(`/appoinments?email=${ann.email}&open=false`)), '400 validation_failed');
    // Once its minute is over, it is past, too: at any hour, also just after midnight.
    const over = clinicMoment(new Date(Date.now() - 120_000), 'Asia/Dhaka');
    await two.appointments.updateOne({ date, time: now }, { $set: { ...over } });
    assert.equal((await read('open=true&when=past')).length, 2);
  } finally {
    await two.close();
  }
});
