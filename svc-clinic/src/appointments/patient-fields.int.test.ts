import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallBody } from '@clinic/contracts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { visitDetails, type VisitDetails } from '../contract/patient.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { WaitlistOffer } from '../contract/waitlist-calls.ts';
import { collectionsOf } from '../collections.ts';
import { admin, ann, ben, drHouse } from '../testing/people.ts';
import { read, sharedClinic, type Who } from '../testing/test-clinic.ts';
import { detailsOf } from './patient-fields.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const clinic = await sharedClinic();
await clinic.addDoctor({ availableTimes: ['09:00', '09:30', '10:00', '10:30', '11:00'] });

/** A value that each detail accepts. */
const candidates: readonly unknown[] = ['+880 1555 010997', 41, true, '2027-01-01'];
const details = Object.fromEntries(
  Object.entries(visitDetails).map(([name, schema]) => {
    const { options } = schema as { readonly options?: readonly unknown[] };
    const text = `the ${name} that was given`;
    const value = [text, ...(options ?? []), ...candidates].find((one) => schema.safeParse(one).success);
    assert.notEqual(value, undefined, `no value for ${name}`);
    return [name, value];
  }),
) as Required<VisitDetails>;

async function post<Answer>(who: Who, path: string, json: object): Promise<Answer> {
  return readJson<Answer>(clinic.as(who)(path, { method: 'POST', json }));
}

const listOf = (who: Who, { email }: { readonly email: string }) =>
  read<Appointment[]>(clinic.as(who), `/appoinments?email=${email}`);
/** What the copy of the patient's data has of one record. */
async function copyOf(who: typeof ben, id: string): Promise<unknown> {
  const things = await read<{ readonly data: { readonly _id?: string } }[]>(
    clinic.as(who),
    `/appoinments/export?email=${who.email}`,
  );
  return things.find(({ data }) => data._id === id)?.data;
}

/** The details, as far as this has them. */
const within = (whole: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.keys(details).map((name) => [name, (whole as Record<string, unknown>)[name]]));

const party = (patientemail: string): NonNullable<CallBody<'bookSeries'>['booking']> => {
  const { doctoremail } = clinic.booking();
  return { ...details, patientemail, userId: undefined, doctoremail };
};

const ways: Readonly<Record<string, () => Promise<Appointment>>> = {
  'a booking': () => post(ben, '/appoinments', clinic.booking({ ...details, patientemail: ben.email })),
  'an admin’s booking for somebody without an account': () =>
    post(admin, '/appoinments', clinic.booking({ ...details, patientemail: 'walk-in@mail.example', time: '09:30' })),
  'a series': async () => {
    const [first] = await post<Appointment[]>(admin, '/appoinments/series', {
      booking: party(ben.email),
      dates: [
        { date: clinic.soon, time: '10:00' },
        { date: clinic.soon, time: '10:30' },
      ],
    });
    assert.ok(first);
    return first;
  },
  'the waitlist': async () => {
    await clinic.addDoctor({ name: 'Dr. House', email: drHouse.email, availableTimes: ['11:30'] });
    const other = { doctoremail: drHouse.email, time: '11:30' };
    const taken = await post<Appointment>(ann, '/appoinments', clinic.booking(other));
    await post(ben, '/waitlist', clinic.waitlistRequest(ben, { ...details, doctoremail: drHouse.email }));
    await clinic.setStatus(ann, taken._id, 'Cancelled');
    const offer = await waitUntil(async () => {
      const [open] = await read<WaitlistOffer[]>(clinic.as(ben), `/waitlist/offers?email=${ben.email}&open=true`);
      assert.ok(open);
      return open;
    });
    await post(ben, `/waitlist/offers/${offer._id}/accept`, {});
    const booked = (await listOf(ben, ben)).find(({ doctoremail }) => doctoremail === drHouse.email);
    assert.ok(booked);
    return booked;
  },
};

for (const [way, make] of Object.entries(ways))
  test(`${way} keeps every detail of the request: in the record, the lists and the copy of the patient’s data`, async () => {
    const { _id, patientemail, ...answered } = await make();
    assert.deepEqual(within(answered), details);
    const record = await clinic.appointments.findOne({ _id: new ObjectId(_id) });
    assert.ok(record);
    assert.deepEqual({ ...detailsOf(record) }, details);
    const listed = (await listOf(admin, { email: patientemail })).find((one) => one._id === _id);
    assert.deepEqual(within(listed), details);
    if (patientemail === ben.email) assert.deepEqual(within(await copyOf(ben, _id)), details);
  });

test('a place on the waitlist takes over every detail of the appointment to move, and the copy has them', async () => {
  const moving = (await listOf(ben, ben)).find(({ time }) => time === '10:30');
  assert.ok(moving);
  const { patientemail, from, until, parts } = clinic.waitlistRequest(ben);
  // Nobody waits while there is something to book.
  await post(ann, '/appoinments', clinic.booking({ time: '11:00' }));
  await post(ben, '/waitlist', { patientemail, from, until, parts, appointment: moving._id });
  const place = await collectionsOf(clinic.db).waitlist.findOne({ moving: new ObjectId(moving._id) });
  assert.ok(place);
  assert.deepEqual({ ...detailsOf(place) }, details);
  assert.deepEqual(within(await copyOf(ben, place._id.toHexString())), details);
});

test('a correction changes every detail that it can name', async () => {
  const [one] = await listOf(ben, ben);
  assert.ok(one);
  const corrected: Required<Omit<CallBody<'correctAppointment'>, 'seen'>> = {
    patientname: 'Benjamin Ode',
    age: 42,
    address: '6 Lake Road',
    number: '+880 1555 010996',
  };
  const answer = await clinic.as(admin)(`/appoinments/${one._id}/details`, { method: 'PATCH', json: corrected });
  assert.equal(answer.status, 200, await answer.clone().text());
  const record = await clinic.appointments.findOne({ _id: new ObjectId(one._id) });
  assert.ok(record);
  assert.deepEqual({ ...detailsOf(record) }, { ...details, ...corrected });
});
