// Follows the links in real mails: svc-clinic writes the outbox, svc-messages sends, the demo's mailbox shows the
// mails. And follows what svc-messages says of a sent offer, and asks about an invitation.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment, type Problem } from '@clinic/contracts';
import { fullyBookedDoctor } from '@clinic/demo-data';
import type { Invitation } from '@clinic/svc-identity/contract/schemas';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import { worksEveryDay } from '../../../svc-clinic/src/demo/demo-hours.ts';
import type { OfferRecord } from '../../../svc-clinic/src/waitlist/waitlist-record.ts';
import type { MailRecord } from '../../../svc-messages/src/mailbox/mail-record.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const { patient, doctor } = people;

let services: ThreeServices;
let patients: ReturnType<ThreeServices['from']>;
let anyone: ReturnType<ThreeServices['from']>;
let profile: Doctor;

before(async () => {
  services = await startThreeServices({ messages: 'sending' });
  anyone = services.from('');
  patients = services.from(await services.signIn(patient.email));
  const [found] = await readJson<Doctor[]>(anyone('clinic')(`/doctors?email=${doctor.email}`));
  profile = found ?? assert.fail('no doctor');
});
after(() => services.close());

let days = 40;

/** Books for the patient, each time on another day. */
async function book(): Promise<Appointment> {
  days += 1;
  return readJson(
    await patients('clinic')('/appoinments', {
      method: 'POST',
      json: {
        patientname: 'Amina Khatun',
        patientemail: patient.email,
        age: 35,
        address: '12 Lake Road',
        number: '+880 1555 010400',
        doctorname: profile.name,
        doctoremail: profile.email,
        date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, days),
        time: '10:00',
      },
    }),
  );
}

/** The mails about an appointment, as the demo's mailbox shows them to everybody, oldest first. */
async function mailsAbout({ _id }: Appointment, kind: string): Promise<MailRecord[]> {
  const sent = await services.databases.messages
    .collection<{ readonly messageId: string }>('messages')
    .find({ visit: _id, kind, status: 'sent' })
    .toArray();
  const list = await readJson<{ readonly _id: string; readonly messageId: string }[]>(
    anyone('messages')(`/messages/mailbox?limit=200&q=${patient.email}`),
  );
  const own = list.filter(({ messageId }) => sent.some((message) => message.messageId === messageId));
  return Promise.all(own.map(async (mail) => readJson(anyone('messages')(`/messages/mailbox/${mail._id}`))));
}

/** The call of a link in the mail that confirms a booking. */
async function linkOf(appointment: Appointment, act: 'cancel' | 'move'): Promise<string> {
  await waitUntil(async () => (await mailsAbout(appointment, 'appointment-booked')).length === 1);
  const [mail] = await mailsAbout(appointment, 'appointment-booked');
  const tokens = [...(mail?.text.matchAll(/\/message-actions\/(\S+)/g) ?? [])].map(([, token]) => token ?? '');
  for (const token of tokens) {
    const path = `/messages/actions/${token}`;
    const { action } = await readJson<{ readonly action: string }>(anyone('messages')(path));
    if (action === act) return path;
  }
  return assert.fail(`no link to ${act}: ${mail?.text}`);
}

const appointments = () => services.databases.clinic.collection<AppointmentRecord>('appointments');
const stored = ({ _id }: Appointment) => appointments().findOne({ _id: new ObjectId(_id) });
const press = (path: string, json: object = {}) => anyone('messages')(path, { method: 'POST', json });
const detailOf = async (answer: Response): Promise<string | undefined> => ((await answer.json()) as Problem).detail;

/** What the history says about an appointment, without how it was booked. */
const changesOf = ({ _id }: Appointment) =>
  services.databases.clinic
    .collection('events')
    .find({ 'record.id': _id, action: { $ne: 'booked' } })
    .toArray();

test('a link to cancel shows what it does, works once, and then shows that it was used', async () => {
  const appointment = await book();
  const path = await linkOf(appointment, 'cancel');
  const shown = await readJson<{ readonly visit: object }>(anyone('messages')(path));
  const { date, time } = appointment;
  assert.deepEqual(shown.visit, { doctor: profile.name, date, time });
  assert.equal((await stored(appointment))?.status, 'Pending');

  assert.deepEqual(await readJson(press(path)), {
    action: 'cancel',
    visit: { doctor: profile.name, date, time },
  });
  assert.equal((await stored(appointment))?.status, 'Cancelled');
  const again = await press(path);
  assert.equal(again.status, 409);
  assert.equal(await detailOf(again), 'You have used this link already.');
  assert.equal((await anyone('messages')(path)).status, 409);
  await waitUntil(async () => (await mailsAbout(appointment, 'appointment-cancelled')).length === 1);
});

test('five clicks at once cancel once, in history and mails, too', async () => {
  const appointment = await book();
  const path = await linkOf(appointment, 'cancel');
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => press(path)));
  assert.deepEqual(statusesOf(answers), [200, 409, 409, 409, 409]);
  assert.equal((await stored(appointment))?.status, 'Cancelled');
  assert.equal((await changesOf(appointment)).length, 1);
  await waitUntil(async () => (await mailsAbout(appointment, 'appointment-cancelled')).length > 0);
  await waitUntil(async () => (await services.databases.clinic.collection('outbox').countDocuments()) === 0);
  const rows = services.databases.messages.collection('messages');
  assert.equal(await rows.countDocuments({ visit: appointment._id, kind: 'appointment-cancelled' }), 1);
});

test('a link to move offers free times and books one; the old time’s cancel link then does nothing', async () => {
  const appointment = await book();
  const [cancel, move] = [await linkOf(appointment, 'cancel'), await linkOf(appointment, 'move')];
  const { freeTimes } = await readJson<{
    readonly freeTimes: readonly { readonly date: string; readonly times: readonly string[] }[];
  }>(await anyone('messages')(move));
  const day = freeTimes.at(-1) ?? assert.fail('no free times');
  const [time = ''] = day.times;
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => press(move, { date: day.date, time })));
  assert.deepEqual(statusesOf(answers), [200, 409, 409, 409, 409]);
  const moved = await stored(appointment);
  assert.deepEqual([moved?.date, moved?.time, moved?.status], [day.date, time, 'Pending']);
  assert.equal((await changesOf(appointment)).length, 1);
  assert.equal((await press(cancel)).status, 409);
  assert.equal((await stored(appointment))?.status, 'Pending');
});

test('links of a visit that a colleague has taken over say with whom it is, and change nothing', async () => {
  const appointment = await book();
  const { _id, date, time } = appointment;
  const links = [await linkOf(appointment, 'cancel'), await linkOf(appointment, 'move')];
  const admin = services.from(await services.signIn(people.admin.email));
  const colleague =
    (await readJson<Doctor[]>(anyone('clinic')('/doctors')))
      .filter(({ isAvailable, email }) => isAvailable && ![profile.email, fullyBookedDoctor].includes(email))
      .find((one) => worksEveryDay(one) && one.availableTimes.includes(time)) ?? assert.fail('no colleague works then');
  const json = { doctoremail: colleague.email, date, time, patientChoice: 'agreed' };
  await readJson(admin('clinic')(`/appoinments/${_id}/doctor`, { method: 'PATCH', json }));
  for (const path of links)
    for (const answer of [await anyone('messages')(path), await press(path, { date: addDays(date, 1), time })])
      assert.deepEqual(
        [answer.status, await detailOf(answer)],
        [409, `This appointment is with ${colleague.name} now. Log in to see it.`],
      );
  const kept = await stored(appointment);
  assert.deepEqual([kept?.doctorName, kept?.date, kept?.status], [colleague.name, date, 'Pending']);
  assert.equal((await changesOf(appointment)).length, 1);
});

test('svc-clinic rejects questions about visits without the secret of internal calls', async () => {
  const appointment = await book();
  for (const [path, json] of [
    ['/internal/visits', { ids: [appointment._id] }],
    [
      `/internal/visits/${appointment._id}/change`,
      {
        account: (await stored(appointment))?.patientId,
        seen: { date: appointment.date, time: appointment.time },
        change: { act: 'cancel' },
      },
    ],
  ] as const)
    assert.ok([401, 403, 404].includes((await anyone('clinic')(path, { method: 'POST', json })).status), path);
  assert.equal((await stored(appointment))?.status, 'Pending');
});

test('svc-clinic learns that the message of an offer has gone out', async () => {
  const { clinic } = services.databases;
  const _id = new ObjectId();
  const until = new Date(Date.now() + 1_800_000);
  const slot = { date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 80), time: '10:00' };
  const account = (await services.databases.identity.collection('users').findOne({ email: patient.email }))?._id;
  const patientId = account?.toHexString() ?? assert.fail('no account');
  await clinic.collection<OfferRecord>('waitlistOffers').insertOne({
    _id,
    entryId: new ObjectId(),
    patientId,
    doctorEmail: doctor.email,
    doctorName: profile.name,
    ...slot,
    status: 'open',
    madeAt: new Date(),
    until,
  });
  await clinic.collection('outbox').insertOne({
    at: new Date(),
    kind: 'waitlist-offer',
    to: { account: patientId, email: patient.email, name: 'Amina Khatun' },
    data: { offer: { id: _id.toHexString(), doctor: profile.name, ...slot, until: until.toISOString() } },
  });
  await waitUntil(async () =>
    assert.equal((await clinic.collection<OfferRecord>('waitlistOffers').findOne({ _id }))?.told, true),
  );
});

test('svc-identity says that an invitation was revoked before its mail got through', async () => {
  const { identity, messages } = services.databases;
  const admin = services.from(await services.signIn(people.admin.email))('identity');
  const json = { email: 'joins@nowhere.example', role: 'admin' };
  const { invitation } = await readJson<{ readonly invitation: Invitation }>(
    admin('/staff/invitations', { method: 'POST', json }),
    201,
  );
  const became = (status: string): Promise<void> =>
    waitUntil(async () => {
      const [row, other] = await messages.collection('messages').find({ 'to.email': json.email, status }).toArray();
      assert.ok(row && !other);
    });
  await became('sent');
  assert.equal((await admin(`/staff/invitations/${invitation._id}`, { method: 'DELETE' })).status, 204);
  await identity.collection('outbox').insertOne({
    at: new Date(),
    kind: 'staff-invitation',
    to: { email: json.email },
    data: { link: '/register?invitation=late', role: json.role, until: invitation.expiresAt },
  });
  await became('suppressed');
});
