import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Appointment, Doctor, FreeDays, FreeTimes } from '../contract/schemas.ts';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ann, drGrey, drHouse } from '../testing/people.ts';
import { read, rejectionOf, staffOf, verdict, minutesFrom } from '../testing/test-clinic.ts';
import { replicatedClinic } from '../testing/service-process.ts';

const { clinic, startReplica } = await replicatedClinic();
const replica = await startReplica();
beforeEach(async () => {
  clinic.issuer.setStaff([]);
  await clinic.empty('appointments', 'doctors', 'pharmacists', 'events', 'persons', 'contacts');
});

const directory = async (email: string): Promise<Doctor[]> =>
  await read<Doctor[]>(clinic.anonymous, `/doctors?email=${email}`);
/** A doctor for one test only: a replica may still be following the previous test's list. */
const doctorCalled = (name: string) => ({ role: 'doctor', email: `${name}@clinic.example` }) as const;
const actionsOf = async (email: string): Promise<string[]> =>
  (await clinic.findEvents({ call: 'staff', concerns: email })).map(({ action }) => action as string);

test('a profile gets the account of its address once that is an active doctor, along with earlier bookings', async () => {
  await clinic.addDoctor({}, false);
  const { _id } = await clinic.book();
  const own = async (): Promise<Appointment[]> =>
    await read<Appointment[]>(clinic.as(drGrey), `/appoinments/unconfirmed?email=${drGrey.email}`);
  assert.deepEqual(await own(), []);
  assert.equal(await verdict(clinic.setStatus(drGrey, _id, 'Confirmed')), '403 forbidden');

  for (const account of [
    staffOf(clinic, drGrey, { active: false }),
    staffOf(clinic, drGrey, { role: 'patient' }),
    staffOf(clinic, drGrey, { role: 'pharmacist' }),
  ]) {
    clinic.issuer.setStaff([
      account,
      staffOf(clinic, drHouse, {
        profile: {
          name: `Seen ${account.role} ${account.active}`,
          qualification: 'MD',
          specialization: 'x',
          experience: 1,
        },
      }),
    ]);
    // Once the last doctor of the list is there, the rest of the list has been processed.
    await waitUntil(async () => assert.equal(await clinic.doctors.countDocuments({ email: drHouse.email }), 1));
    const doctor = await clinic.doctors.findOne({ email: drGrey.email });
    assert.equal(doctor && 'accountId' in doctor, false, JSON.stringify(account));
    await clinic.doctors.deleteOne({ email: drHouse.email });
  }

  clinic.issuer.setStaff([staffOf(clinic, drGrey)]);
  await waitUntil(async () =>
    assert.deepEqual(
      (await own()).map((each) => each._id),
      [_id],
    ),
  );
  assert.equal(await verdict(clinic.setStatus(drGrey, _id, 'Confirmed')), '200');
  const [profile] = await read<Doctor[]>(clinic.as(drGrey), `/doc-pharma/${drGrey.email}`);
  assert.equal(profile?.email, drGrey.email);
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'joined account' }), 1);
});

test('a profile goes to whoever had its address when it was created, not to the address’s next owner', async () => {
  const [first, next] = [doctorCalled('first'), doctorCalled('next')];
  const [email, elsewhere] = ['handed.over@clinic.example', 'elsewhere@clinic.example'];
  await clinic.addDoctor({ email, createdAt: new Date(Date.now() - 120_000) }, false);
  const given = new Date(Date.now() - 60_000).toISOString();
  const [one, two] = [first, next].map((person) => clinic.issuer.idOf(person.email));
  clinic.issuer.changeAccount(two ?? '', { email, held: [{ email, since: given }] });
  clinic.issuer.setStaff([
    staffOf(clinic, next, { email }),
    staffOf(clinic, drHouse, {
      profile: { name: 'Seen', qualification: 'MD', specialization: 'x', experience: 1 },
    }),
  ]);
  await waitUntil(async () => assert.equal(await clinic.doctors.countDocuments({ email: drHouse.email }), 1));
  assert.equal((await clinic.doctors.findOne({ email }))?.accountId, undefined);

  clinic.issuer.changeAccount(one ?? '', {
    email: elsewhere,
    former: [email],
    held: [{ email, until: given }, { email: elsewhere }],
  });
  clinic.issuer.setStaff([staffOf(clinic, next, { email }), staffOf(clinic, first, { email: elsewhere })]);
  await waitUntil(async () => assert.equal((await clinic.doctors.findOne({ email }))?.accountId, one));
});

test('a doctor who lost the role or was switched off can’t be booked until reinstated', async () => {
  const { _id } = await clinic.addDoctor();
  const path = `/doctors/${_id.toHexString()}`;
  const bookable = async () => {
    const [doctor] = await directory(drGrey.email);
    const { times } = await read<FreeTimes>(clinic.anonymous, `${path}/free-times?date=${clinic.soon}`);
    const { days } = await read<FreeDays>(
      clinic.anonymous,
      `${path}/free-days?from=${clinic.soon}&until=${clinic.soon}`,
    );
    return [doctor?.isAvailable, doctor?.nextFree !== null, times.length, days[0]?.free];
  };
  assert.deepEqual(await bookable(), [true, true, 3, 3]);
  let expected = 0;
  for (const lost of [
    staffOf(clinic, drGrey, { role: 'patient' }),
    staffOf(clinic, drGrey, { active: false }),
    staffOf(clinic, drGrey, { role: 'pharmacist' }),
  ]) {
    clinic.issuer.setStaff([lost]);
    await waitUntil(async () => assert.deepEqual(await bookable(), [false, false, 0, 0]));
    const rejected = await clinic.requestBooking(ann);
    assert.deepEqual(await rejectionOf(rejected), [400, ['doctoremail']]);
    assert.equal(await clinic.appointments.countDocuments({}), 0);
    clinic.issuer.setStaff([staffOf(clinic, drGrey)]);
    await waitUntil(async () => assert.deepEqual(await bookable(), [true, true, 3, 3]));
    expected += 2;
  }
  // One history entry each, although two replicas follow the list.
  const actions = (await actionsOf(drGrey.email)).filter((action) => action === 'suspended' || action === 'reinstated');
  assert.deepEqual(
    actions,
    Array.from({ length: expected }, (_, index) => (index % 2 === 0 ? 'suspended' : 'reinstated')),
  );
});

test('nobody can make a suspended doctor available; other changes work', async () => {
  const { _id } = await clinic.addDoctor({ isAvailable: false });
  clinic.issuer.setStaff([staffOf(clinic, drGrey, { active: false })]);
  await waitUntil(async () => assert.equal((await clinic.doctors.findOne({ _id }))?.suspended, true));
  const change = (json: object) => clinic.as('admin')(`/doctors/${_id.toHexString()}`, { method: 'PATCH', json });
  const rejected = await change({ isAvailable: true, daysOff: [clinic.soon] });
  assert.deepEqual(await rejectionOf(rejected), [400, ['isAvailable']]);
  const doctor = await clinic.doctors.findOne({ _id });
  assert.deepEqual([doctor?.isAvailable, doctor?.daysOff], [false, undefined]);
  assert.equal((await change({ daysOff: [clinic.soon] })).status, 200);
});

test('invited doctors and pharmacists get the invitation’s profile, once', async () => {
  const profile = {
    name: 'Dr. Meredith Grey',
    qualification: 'MD',
    specialization: 'Cardiologist',
    experience: 9,
    location: 'Level 3',
    availableTimes: ['10:00', '09:00', '10:00'],
  };
  const pia = { role: 'pharmacist', email: 'pia@clinic.example' } as const;
  const invited = doctorCalled('invited');
  const last = doctorCalled('invited-last');
  clinic.issuer.setStaff([
    staffOf(clinic, invited, { profile }),
    staffOf(clinic, pia, { profile: { ...profile, name: 'Pia' } }),
  ]);
  await waitUntil(async () => assert.equal(await clinic.pharmacists.countDocuments({}), 1));
  const [doctor] = await directory(invited.email);
  assert.deepEqual(
    [doctor?.name, doctor?.location, doctor?.availableTimes, doctor?.isAvailable],
    ['Dr. Meredith Grey', 'Level 3', ['09:00', '10:00'], true],
  );
  assert.equal((await clinic.pharmacists.findOne({}))?.accountId, clinic.issuer.idOf(pia.email));
  clinic.issuer.setStaff([
    staffOf(clinic, invited, { profile: { ...profile, name: 'Another name' } }),
    staffOf(clinic, pia, { profile }),
    staffOf(clinic, last, { profile }),
  ]);
  await waitUntil(async () => assert.equal((await directory(last.email)).length, 1));
  assert.deepEqual(
    (await directory(invited.email)).map(({ name }) => name),
    ['Dr. Meredith Grey'],
  );
  assert.equal(
    await clinic.db
      .collection('events')
      .countDocuments({ action: 'created', concerns: { $in: [invited.email, pia.email, last.email] } }),
    3,
  );
});

test('an existing profile is used instead of a new one, and an invalid invitation blocks nobody', async () => {
  const present = doctorCalled('present');
  await clinic.addDoctor({ email: present.email, name: 'Dr. M. Grey' }, false);
  clinic.issuer.setStaff([
    staffOf(clinic, doctorCalled('odd'), { profile: { name: 7 } }),
    staffOf(clinic, present, {
      profile: { name: 'From the invitation', qualification: 'MD', specialization: 'x', experience: 1 },
    }),
  ]);
  await waitUntil(async () =>
    assert.equal(
      (await clinic.doctors.findOne({ email: present.email }))?.accountId,
      clinic.issuer.idOf(present.email),
    ),
  );
  assert.deepEqual(
    (await directory(present.email)).map(({ name }) => name),
    ['Dr. M. Grey'],
  );
});

test('no booking is missed while its doctor’s account is linked, over two replicas', async () => {
  for (let round = 0; round < 8; round += 1) {
    const doctor = doctorCalled(`racing${round}`);
    await clinic.addDoctor({ email: doctor.email, availableTimes: minutesFrom('11:00', 8) }, false);
    const bookings = Array.from({ length: 8 }, (_, minute) => {
      const patientemail = `patient${round}${minute}@mail.example`;
      const book = (minute % 2 === 0 ? clinic : replica).as({ role: 'patient', email: patientemail });
      return untilServed(() =>
        book('/appoinments', {
          method: 'POST',
          json: clinic.booking({ patientemail, doctoremail: doctor.email, time: `11:0${minute}` }),
          headers: { 'Idempotency-Key': patientemail.replace('@', '-') },
        }),
      );
    });
    clinic.issuer.setStaff([staffOf(clinic, doctor)]);
    assert.deepEqual(
      (await Promise.all(bookings)).map(({ status }) => status),
      Array.from({ length: 8 }, () => 201),
    );
    const id = clinic.issuer.idOf(doctor.email);
    await waitUntil(async () =>
      assert.equal(
        await clinic.appointments.countDocuments({ doctorAccountId: id, accounts: id }),
        8,
        `round ${round}`,
      ),
    );
  }
});

test('a profile created for somebody who is already a doctor is linked immediately', async () => {
  clinic.issuer.setStaff([staffOf(clinic, drGrey)]);
  const profile = {
    name: 'Dr. Grey',
    email: drGrey.email,
    qualification: 'MD',
    specialization: 'Cardiologist',
    experience: 9,
    role: 'doctor',
  };
  await waitUntil(async () => {
    // The responding replica may not have read the list yet.
    await clinic.doctors.deleteOne({ email: drGrey.email });
    assert.equal((await clinic.as('admin')('/doc-pharma', { method: 'POST', json: profile })).status, 201);
    assert.equal((await read<Doctor[]>(clinic.as(drGrey), `/doc-pharma/${drGrey.email}`)).length, 1);
  });
});
