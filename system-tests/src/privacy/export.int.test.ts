import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment, type Problem, type User } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { ExportedThing } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { everyCall, type TestedService } from '../support/every-call.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { bookingOf, register } from './newcomer.ts';
import { keepsLong } from '../support/orderable.ts';

let services: ThreeServices;
before(async () => {
  services = await startThreeServices({ messages: 'sending' });
});
after(() => services.close());

const pathsOf = (email: string) =>
  [
    ['identity', `/users/${email}/export`],
    ['clinic', `/appoinments/export?email=${email}`],
    ['pharmacy', `/orderMedi/export?email=${email}`],
    ['messages', `/messages/export?email=${email}`],
  ] as const;
const theDoctor = async (): Promise<Doctor> =>
  (await readJson<Doctor[]>(services.from('')('clinic')('/doctors'))).find(
    ({ email }) => email === people.doctor.email,
  ) ?? assert.fail('the demo has no doctor');
const kinds = (things: readonly ExportedThing[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(things, ({ kind }) => kind)].map(([kind, of]) => [kind, of.length]));

test('a person gets everything that is stored about them, and nothing about others', { timeout: 300_000 }, async () => {
  const [ann, other] = [await register(services), await register(services)];
  const admin = services.from(await services.signIn(people.admin.email));
  const doctor = await theDoctor();
  const [medicine] = (await readJson<Medicine[]>(services.from('')('pharmacy')('/medicine'))).filter(
    ({ status, medicine: { expiryDate, prescriptionOnly } }) =>
      !prescriptionOnly && status === 'in stock' && keepsLong(expiryDate),
  );
  const date = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 90);
  const book = (person: typeof ann, time = '09:00') =>
    readJson<Appointment>(
      person.at('clinic')('/appoinments', {
        method: 'POST',
        json: bookingOf(person, doctor, { date, time }),
      }),
    );
  const appointment = await book(ann, doctor.availableTimes[0]);
  await book(other, doctor.availableTimes[1]);
  await readJson(
    admin('clinic')(`/update-appoinment/${appointment._id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } }),
  );
  const order = await readJson<Order>(
    ann.at('pharmacy')('/orderMedi', {
      method: 'POST',
      json: {
        items: [{ medicineId: medicine?.medicine.medicineId, quantity: 1 }],
        deliveryAddress: ann.street,
        customeremail: ann.email,
        customerPhone: ann.phone,
      },
    }),
  );

  // Booked, confirmed, ordered, and two reminders.
  const sentTo = { 'to.email': ann.email };
  await waitUntil(async () => (await services.databases.messages.collection('messages').countDocuments(sentTo)) === 5);
  // Who confirmed the appointment has seen it, which is written in the background.
  const looks = services.databases.clinic.collection('looks');
  await waitUntil(async () => (await looks.countDocuments({ email: ann.email })) === 1);
  const [identity = [], clinic = [], pharmacy = [], messages = []] = await Promise.all(
    pathsOf(ann.email).map(([service, path]) => readJson<ExportedThing[]>(ann.at(service)(path))),
  );
  assert.deepEqual(kinds(identity), { user: 1, session: 1, event: 2 });
  assert.deepEqual(kinds(clinic), { appointment: 1, event: 2, look: 1 });
  // The stock change of the order was their action, too.
  assert.deepEqual(kinds(pharmacy), { order: 1, event: 2 });
  assert.deepEqual(kinds(messages), { message: 5 });
  const data = (things: readonly ExportedThing[], kind: string) =>
    things.filter((thing) => thing.kind === kind).map((thing) => thing.data);
  const { email, firstName, lastName, phone, dateOfBirth } = ann;
  assert.deepEqual(
    { ...data(identity, 'user')[0], email, firstName, lastName, phone, dateOfBirth },
    data(identity, 'user')[0],
  );
  // Worked out for each answer from what is stored.
  const { changeUntil: _rule, you: _part, start: _start, end: _end, ...booked } = appointment;
  assert.deepEqual(
    { ...data(clinic, 'appointment')[0], ...booked, status: 'Confirmed' },
    data(clinic, 'appointment')[0],
  );
  // The international form of the phone number is only in the copy.
  assert.deepEqual({ ...data(pharmacy, 'order')[0], ...order }, data(pharmacy, 'order')[0]);
  assert.deepEqual(
    data(clinic, 'event').map(({ action, by }) => [action, by]),
    [
      ['status changed', 'admin'],
      ['booked', 'you'],
    ],
  );

  const all = JSON.stringify([identity, clinic, pharmacy, messages]);
  for (const foreign of [other.email, other.lastName, people.admin.email, 'refreshHash', 'uid"'])
    assert.ok(!all.includes(foreign), `${foreign} belongs to somebody else`);
});

test('every part of a copy is only of the account that was seen at the address', async () => {
  const [ann, other] = [await register(services), await register(services)];
  const admin = services.from(await services.signIn(people.admin.email));
  const idOf = async ({ at, email }: typeof ann) => (await readJson<User>(at('identity')(`/users/${email}`)))._id;
  const [annsId, othersId] = [await idOf(ann), await idOf(other)];
  const copies = Object.values(everyCall as CallTable).filter(({ shows }) => shows?.copy === true);
  assert.deepEqual(
    copies.filter(({ personalData }) => personalData === 'copy').map(({ service }) => service),
    Object.keys(services.urls).filter((service) => service !== 'identity'),
  );
  for (const { id, service, path } of copies)
    for (const at of [admin, ann.at]) {
      const copy = async (seen: string): Promise<string> => {
        const query = new URLSearchParams({ email: ann.email, userId: seen });
        const answer = await at(service as TestedService)(`${path.replace(':email', ann.email)}?${query.toString()}`);
        return [answer.status, ...(answer.ok ? [] : [((await answer.json()) as Problem).code])].join(' ');
      };
      assert.equal(await copy(othersId), '412 changed_meanwhile', id);
      assert.equal(await copy(annsId.toUpperCase()), '200', id);
    }
});

test('a doctor’s export says what they did to patients’ appointments, without the patients’ data', async () => {
  const doctor = services.from(await services.signIn(people.doctor.email));
  const patient = await register(services);
  const { _id } = await readJson<Appointment>(
    patient.at('clinic')('/appoinments', {
      method: 'POST',
      json: bookingOf(patient, await theDoctor(), { date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 91) }),
    }),
  );
  await readJson(doctor('clinic')(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } }));
  const things = await readJson<ExportedThing[]>(doctor('clinic')(`/appoinments/export?email=${people.doctor.email}`));
  assert.ok(things.some(({ kind, data }) => kind === 'doctor profile' && data['email'] === people.doctor.email));
  const confirmed = things.find(
    ({ data }) => data['action'] === 'status changed' && (data['record'] as { id: string }).id === _id,
  );
  assert.deepEqual(Object.keys(confirmed?.data ?? {}).toSorted(), ['action', 'at', 'by', 'record']);
  assert.ok(!JSON.stringify(things).includes(patient.lastName));
});

test('nobody gets another person’s export, except an admin, whom a person can ask for it', async () => {
  const ann = await register(services);
  const patient = services.from(await services.signIn(people.patient.email));
  const pharmacist = services.from(await services.signIn(people.pharmacist.email));
  const admin = services.from(await services.signIn(people.admin.email));
  for (const [service, path] of pathsOf(ann.email)) {
    assert.equal((await services.from('')(service)(path)).status, 401);
    for (const stranger of [patient, pharmacist])
      assert.equal((await stranger(service)(path)).status, 403, `${service} to a stranger`);
    assert.equal((await admin(service)(path)).status, 200);
  }
});
