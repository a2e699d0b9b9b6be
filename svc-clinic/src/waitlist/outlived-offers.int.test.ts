import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicInstant } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { arrivalCodeOf } from '../attendance/arrival-codes.ts';
import { stateOf } from '../attendance/attendance-record.ts';
import { collectionsOf } from '../collections.ts';
import { hasBegun } from '../contract/attendance.ts';
import { clinicCalls } from '../contract/calls.ts';
import type { Appointment } from '../contract/schemas.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { zoneAt } from '../testing/zones.ts';
import { heldStatus, holdsOf } from './slot-hold.ts';

const cleo = { role: 'patient', email: 'cleo@mail.example' } as const;
const clinic = await sharedClinic({ CLINIC_TZ: zoneAt(12), CLINIC_CHANGE_CUTOFF_HOURS: '0' });
const { today } = clinic;
const collections = collectionsOf(clinic.db);
const { appointments, doctors, freedTimes, waitlist, waitlistOffers } = collections;
const hours = hoursAt(['14:00', '15:00', '16:00', '17:00', '18:00']);

beforeEach(async () => {
  await clinic.empty('waitlist', 'waitlistOffers', 'freedTimes', 'appointments', 'doctors', 'holidays', 'events');
  await clinic.addDoctor(hours);
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', ...hours });
});

const patch = (who: Who, path: string, json: object): Promise<Response> =>
  clinic.as(who)(path, { method: 'PATCH', json });
const done = async (answer: Promise<Response>): Promise<void> => {
  const { status } = await answer;
  assert.equal(status, 200, await (await answer).text());
};
const seenOf = ({ doctoremail, date, time }: Appointment) => ({ doctoremail, date, time });
const ofAppointment = (id: string) =>
  appointments.findOne({ _id: new ObjectId(id) }).then((one) => one ?? assert.fail());
const openOffer = () => waitlistOffers.findOne({ patientId: clinic.issuer.idOf(ben.email), status: 'open' });
const settled = () => waitUntil(async () => assert.equal(await freedTimes.countDocuments({}), 0));
const accept = (id: ObjectId) =>
  clinic.as(ben)(`/waitlist/offers/${id.toHexString()}/accept`, { method: 'POST', json: {} });

/** Ben's visit at four; by then two and three are somebody else's. */
async function visitAtFour(how: 'alone' | 'of a series' = 'alone'): Promise<Appointment> {
  for (const time of ['14:00', '15:00'])
    await clinic.book({ date: today, time, patientemail: time === '14:00' ? ann.email : cleo.email });
  if (how === 'alone') return clinic.book({ date: today, time: '16:00', patientemail: ben.email });
  const { date: _date, time: _time, doctorname: _name, status: _status, ...party } = clinic.booking();
  const dates = [0, 1].map((days) => ({ date: addDays(today, days), time: '16:00' }));
  const json = { booking: { ...party, patientemail: ben.email }, dates };
  const [first] = await readJson<Appointment[]>(clinic.as(admin)('/appoinments/series', { method: 'POST', json }), 201);
  return first ?? assert.fail();
}

/** Offers Ben two o'clock for his visit. */
async function offerTwo(visit: Appointment): Promise<void> {
  const json = { patientemail: ben.email, appointment: visit._id, from: today, until: today, parts: ['afternoon'] };
  await readJson(clinic.as(ben)('/waitlist', { method: 'POST', json }), 201);
  const two = await appointments.findOne({ time: '14:00', status: 'Pending' });
  await done(clinic.setStatus(ann, two?._id.toHexString() ?? '', 'Cancelled'));
  await settled();
  const offer = await openOffer();
  assert.deepEqual([offer?.time, offer?.moves?.time], ['14:00', '16:00']);
}

type Prepared = readonly [visit: Appointment, change: () => Promise<void>];

/** A visit, and its change once two o'clock is offered for it. */
const change =
  (made: (visit: Appointment) => Promise<Response>, how?: 'of a series') => async (): Promise<Prepared> => {
    const visit = await visitAtFour(how);
    return [visit, () => done(made(visit))];
  };

const move = (who: Who, time: string) => change(({ _id }) => clinic.reschedule(who, _id, today, time));
const status = (who: Who, to: string) => change(({ _id }) => clinic.setStatus(who, _id, to));
const ofSeries = (asked: object) =>
  change(
    ({ _id, date, time }) => patch(admin, `/appoinments/${_id}/series`, { seen: { date, time }, change: asked }),
    'of a series',
  );
const handOver = ({ _id, date, time }: Appointment, to: { readonly email: string }) =>
  patch(admin, `/appoinments/${_id}/doctor`, { doctoremail: to.email, date, time, patientChoice: 'agreed' });
const undoMove = (moved: Appointment) =>
  patch(admin, '/appoinments/undone', { moves: [{ id: moved._id, seen: seenOf(moved) }] });
const byLink = (asked: object) =>
  change(({ _id, date, time }) =>
    clinic.anonymous(`/internal/visits/${_id}/change`, {
      method: 'POST',
      json: { account: clinic.issuer.idOf(ben.email), seen: { date, time }, change: asked },
      headers: internalHeaders(internalSecret(clinic.context.settings)),
    }),
  );
/** Settles a visit that has become shorter than it was promised. */
const outside = (decision: object) =>
  change(async (visit) => {
    await doctors.updateOne({ email: drGrey.email }, { $set: hoursAt(['14:00', '15:00', '16:00', '17:00'], 20) });
    return patch(admin, `/appoinments/${visit._id}/outside`, { seen: seenOf(visit), decision });
  });

const states: Readonly<Record<string, Readonly<Record<string, () => Promise<Prepared>>>>> = {
  changeAppointmentStatus: {
    'confirmed by the doctor': status(drGrey, 'Confirmed'),
    'cancelled by the patient': status(ben, 'Cancelled'),
    'cancelled by the doctor': status(drGrey, 'Cancelled'),
  },
  undoStatusChanges: {
    'a confirmation undone': async () => {
      const visit = await visitAtFour();
      await done(clinic.setStatus(admin, visit._id, 'Confirmed'));
      const seen = { date: visit.date, time: visit.time, status: 'Confirmed' };
      return [visit, () => done(patch(admin, '/appoinments/undone-status', { changes: [{ id: visit._id, seen }] }))];
    },
  },
  rescheduleAppointment: {
    'moved later by the patient': move(ben, '17:00'),
    'moved later by the doctor': move(drGrey, '17:00'),
    'moved earlier than the offer by the desk': change(async ({ _id }) => {
      await doctors.updateOne({ email: drGrey.email }, { $set: hoursAt(['13:30', '14:00', '15:00', '16:00']) });
      return clinic.reschedule(admin, _id, today, '13:30');
    }),
    'moved to another day by the desk': change(({ _id }) => clinic.reschedule(admin, _id, clinic.soon, '16:00')),
  },
  moveToColleague: { 'handed over': change((visit) => handOver(visit, drHouse)) },
  undoMoves: {
    'a move undone': async () => {
      const visit = await visitAtFour();
      await done(clinic.reschedule(admin, visit._id, today, '17:00'));
      const to = await readJson<Appointment>(clinic.reschedule(admin, visit._id, today, '16:00'), 200);
      return [to, () => done(undoMove(to))];
    },
    'a hand-over undone': async () => {
      const visit = await visitAtFour();
      await done(handOver(visit, drHouse));
      const back = await readJson<Appointment>(handOver(visit, drGrey), 200);
      return [back, () => done(undoMove(back))];
    },
  },
  changeSeries: {
    'the series moved': ofSeries({ act: 'move', date: today, time: '17:00' }),
    'the series cancelled': ofSeries({ act: 'cancel' }),
  },
  settleOutside: {
    'kept outside the hours': outside({ act: 'keep' }),
    'moved into the hours': outside({ act: 'move', date: today, time: '17:00', patientChoice: 'not asked' }),
    'cancelled outside the hours': outside({ act: 'cancel', patientChoice: 'not asked' }),
  },
  changeAttendance: {
    arrived: change(({ _id }) => patch(admin, `/appoinments/${_id}/attendance`, { from: 'expected', to: 'arrived' })),
    'with the doctor': change(async ({ _id }) => {
      await done(patch(admin, `/appoinments/${_id}/attendance`, { from: 'expected', to: 'arrived' }));
      return patch(drGrey, `/appoinments/${_id}/attendance`, { from: 'arrived', to: 'with doctor' });
    }),
  },
  arriveByCode: {
    'arrived by code': change(async ({ _id }) => {
      const code = await arrivalCodeOf(collections, await ofAppointment(_id));
      return clinic.as(admin)('/appoinments/arrivals', { method: 'POST', json: { code } });
    }),
  },
  correctAppointment: {
    'another age': change(({ _id }) => patch(admin, `/appoinments/${_id}/details`, { age: 41 })),
  },
  'link in a message': {
    'moved by link': byLink({ act: 'move', date: today, time: '17:00' }),
    'cancelled by link': byLink({ act: 'cancel' }),
    'arrived by link': byLink({ act: 'arrive' }),
  },
};

/** Answers about an offer that has ended, and about one in whose place there is another for the visit's new time. */
const over = ['409 offer_over', '404 not_found'];

/** Calls about appointments that change neither when and where a visit is nor how far it has got. */
const others = /^(?:plan|preview|propose|book|answer)|WaitingScreen|QuestionForm|CalendarFeed|^erase/;

test('every call that may change a visit is among these', () => {
  const changing = Object.entries(clinicCalls)
    .filter(([name, { method, path }]) => method !== 'GET' && path.includes('appoinment') && !others.test(name))
    .map(([name]) => name);
  assert.deepEqual(
    Object.keys(states)
      .filter((name) => name in clinicCalls)
      .toSorted(),
    changing.toSorted(),
  );
});

for (const [call, changes] of Object.entries(states))
  for (const [name, prepare] of Object.entries(changes))
    test(`an offer isn’t left open for a visit that is no longer so: ${call}, ${name}`, async () => {
      const [visit, makeChange] = await prepare();
      await offerTwo(visit);
      const first = await openOffer();
      await makeChange();
      const now = await ofAppointment(visit._id);
      const offer = await openOffer();
      const place = await waitlist.findOne({ about: `appointment ${visit._id}` });
      const stays = now.doctorEmail === drGrey.email && now.status !== 'Cancelled';
      assert.equal(place?.status, stays ? (offer ? 'offered' : 'waiting') : 'ended');
      if (offer) {
        assert.deepEqual(offer.moves, { date: now.date, time: now.time });
        assert.equal(offer.doctorEmail, now.doctorEmail);
        assert.ok(!hasBegun(stateOf(now)));
      }
      await settled();
      // The offer that was on screen, and the one that is there now.
      for (const shown of [first, await openOffer()]) {
        if (!shown) continue;
        const answer = await verdict(accept(shown._id));
        const { date, time } = await ofAppointment(visit._id);
        if (answer === '200') assert.ok(startOf({ date, time }) < startOf(now), `${date} ${time}`);
        else {
          assert.ok(over.includes(answer), answer);
          assert.deepEqual([date, time], [now.date, now.time]);
        }
      }
      assert.equal(await openOffer(), null);
      assert.equal(
        await holdsOf(collections).countDocuments({ status: heldStatus }),
        await waitlistOffers.countDocuments({ status: 'open' }),
      );
    });

const startOf = (moment: { readonly date: string; readonly time: string }): Date =>
  clinicInstant(moment, clinic.context.settings.CLINIC_TZ);

test('an offer that the previous release left open when it moved the visit is withdrawn when it is accepted', async () => {
  const visit = await visitAtFour();
  await offerTwo(visit);
  const offer = (await openOffer()) ?? assert.fail();
  await waitlistOffers.updateOne({ _id: offer._id }, { $set: { 'moves.time': '15:30' } });
  assert.equal(await verdict(accept(offer._id)), '412 changed_meanwhile');
  const { time } = await ofAppointment(visit._id);
  assert.equal(time, '16:00');
  const next = (await openOffer()) ?? assert.fail();
  assert.deepEqual([next.time, next.moves], ['14:00', { date: today, time: '16:00' }]);
});

test('of an acceptance and a move at once, one is about the visit as the other left it', async () => {
  for (let round = 0; round < 8; round += 1) {
    await clinic.empty('waitlist', 'waitlistOffers', 'freedTimes', 'appointments', 'persons');
    const visit = await visitAtFour();
    await offerTwo(visit);
    const offer = (await openOffer()) ?? assert.fail();
    const [accepted, moved] = await Promise.all([
      verdict(accept(offer._id)),
      verdict(patch(admin, `/appoinments/${visit._id}`, { date: today, time: '17:00', seen: seenOf(visit) })),
    ]);
    const { time } = await ofAppointment(visit._id);
    assert.ok(
      [
        ['200', '412 changed_meanwhile', '14:00'],
        ['200', '409 transition_refused', '14:00'],
        ...over.map((answer) => [answer, '200', '17:00']),
      ].some((one) => one.join() === [accepted, moved, time].join()),
      [accepted, moved, time].join(),
    );
    const open = await openOffer();
    if (open) assert.deepEqual(open.moves, { date: today, time });
  }
});

const changedDoctor = (set: object) => async (): Promise<void> =>
  void (await doctors.updateOne({ email: drGrey.email }, { $set: set }));

/** What may change under an offer, apart from the visit. */
const ofHours: Readonly<Record<string, () => Promise<unknown>>> = {
  'another place': changedDoctor({ location: 'Annexe' }),
  'longer visits': changedDoctor(hoursAt(['14:00', '15:00', '16:00'], 60)),
  'shorter visits': changedDoctor(hoursAt(['14:00', '15:00', '16:00'], 20)),
  'other hours': changedDoctor(hoursAt(['15:00', '16:00'])),
  'a day off': changedDoctor({ daysOff: [today] }),
  'no new patients': changedDoctor({ isAvailable: false }),
  'a doctor who leaves': changedDoctor({ suspended: true }),
  'a deleted profile': () => doctors.deleteOne({ email: drGrey.email }),
  'a holiday': () =>
    readJson(
      clinic.as(admin)('/doctors/holidays', { method: 'POST', json: { name: 'H', from: today, until: today } }),
      201,
    ),
};

for (const [name, makeChange] of Object.entries(ofHours))
  test(`an accepted offer is what was offered, or withdrawn: ${name}`, async () => {
    const visit = await visitAtFour();
    await offerTwo(visit);
    const offer = (await openOffer()) ?? assert.fail();
    await makeChange();
    const answer = await verdict(accept(offer._id));
    const { time, place } = await ofAppointment(visit._id);
    if (answer === '200') return assert.deepEqual([time, place], ['14:00', 'Level 3']);
    assert.match(`${answer} ${time}`, /^(400 validation_failed|409 transition_refused) 16:00$/);
    const again = await openOffer();
    assert.notDeepEqual(again?._id, offer._id);
    if (again) assert.equal(await verdict(accept(again._id)), '200');
  });
