import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicMinute, clinicMoment, type Look, type Problem } from '@clinic/contracts';
import { internalHeaders, internalSecret, looksWritten } from '@clinic/service-kit';
import { personWith } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { attendanceStates } from '../contract/attendance.ts';
import type { Answer, VisitQuestions } from '../contract/question-calls.ts';
import { questionLimits } from '../contract/question-limits.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, rejectionOf, sharedClinic, storedAppointment, verdict } from '../testing/test-clinic.ts';
import { no, pills, questionsAt, since, smoke, yes } from '../testing/test-questions.ts';
import { canAnswer } from './asked-questions.ts';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', specialization: 'Dermatology' });
const { saving, save, change, questionsOf, open, answer, answered } = questionsAt(clinic);
beforeEach(() => clinic.empty('appointments', 'events', 'questionForms', 'outbox', 'persons'));
const stored = async (id: string): Promise<AppointmentRecord> =>
  (await clinic.appointments.findOne({ _id: new ObjectId(id) })) ?? assert.fail(id);

test('answers keep the questions they were given to, also when the form changes or stops', async () => {
  await save();
  const { _id } = await clinic.book();
  const first = await answered(_id, [...yes, { id: 'pills', answer: ['Insulin', 'Aspirin'] }]);
  assert.deepEqual(first.answers, [
    { id: 'smoke', answer: ['Yes'] },
    { id: 'since', answer: [] },
    { id: 'pills', answer: ['Insulin', 'Aspirin'] },
  ]);
  assert.deepEqual(await open(), []);
  const next = await save({ version: 1, questions: [{ ...smoke, text: 'Did you ever smoke?' }] });
  await change(next, false);
  for (const who of [ann, drGrey, 'admin'] as const) {
    const seen = await questionsOf(_id, who);
    assert.deepEqual([seen.questions, seen.answers, seen.version], [[smoke, since, pills], first.answers, 1]);
    assert.equal(seen.open, who === ann);
  }
  // They can still be changed.
  assert.deepEqual((await answered(_id, no)).answers[0], no[0]);
  const list = await read<{ readonly answeredAt?: string; readonly answers?: unknown }[]>(
    clinic.as('admin'),
    '/appoinments',
  );
  assert.equal(list[0]?.answeredAt, (await stored(_id)).answered?.at.toISOString());
  assert.equal(list[0]?.answers, undefined);
});

test('an answer that isn’t one is rejected with its question, and keeps nothing', async () => {
  await save();
  const { _id } = await clinic.book();
  const screen = await questionsOf(_id);
  for (const [answers, rejected] of [
    [[], 'answers.smoke'],
    [[{ id: 'smoke', answer: ['Perhaps'] }], 'answers.smoke'],
    [[{ id: 'smoke', answer: ['Yes', 'No'] }], 'answers.smoke'],
    [[...yes, { id: 'since', answer: ['x'.repeat(questionLimits.shortText + 1)] }], 'answers.since'],
    [[...yes, { id: 'since', answer: ['two\nlines'] }], 'answers.since'],
    [[...yes, { id: 'pills', answer: ['Heroin'] }], 'answers.pills'],
    [[...yes, { id: 'pills', answer: ['Insulin', 'Insulin'] }], 'answers.pills'],
  ] as [Answer[], string][])
    assert.deepEqual(await rejectionOf(await answer(_id, screen, answers)), [400, [rejected]], rejected);
  assert.equal((await stored(_id)).answers, undefined);
});

test('of several submits at once one counts, and the others are told; a repeated one changes nothing', async () => {
  await save();
  const { _id } = await clinic.book();
  const screen = await questionsOf(_id);
  const answers = await Promise.all([
    answer(_id, screen, yes),
    answer(_id, screen, no),
    answer(_id, screen, [...no, { id: 'since', answer: ['Monday'] }]),
  ]);
  assert.deepEqual(statusesOf(answers), [200, 412, 412]);
  const winner = (await answers.find(({ status }) => status === 200)?.json()) as VisitQuestions;
  const kept = (await stored(_id)).answers ?? [];
  assert.deepEqual(
    kept.map(({ id, answer: given }) => ({ id, answer: given })),
    winner.answers,
  );
  // Its answer was lost on the way.
  const again = await answer(_id, screen, winner.answers);
  assert.deepEqual([again.status, ((await again.json()) as VisitQuestions).answeredAt], [200, winner.answeredAt]);
  assert.equal((await clinic.findEvents({ action: 'questions answered' })).length, 1);
});

test('answers whose response was lost are in, also if the doctor sees the patient by now', async () => {
  await save();
  const { _id } = await clinic.book();
  const screen = await questionsOf(_id);
  assert.equal(await verdict(answer(_id, screen, yes)), '200');
  const { date, time } = await stored(_id);
  const attendance = { date, time, state: 'with doctor' as const, since: new Date() };
  await clinic.appointments.updateOne({ _id: new ObjectId(_id) }, { $set: { attendance } });
  assert.deepEqual(
    [await verdict(answer(_id, screen, yes)), await verdict(answer(_id, screen, no))],
    ['200', '409 too_late'],
  );
});

test('questions that changed while somebody typed aren’t answered by mistake', async () => {
  await save();
  const { _id } = await clinic.book();
  const screen = await questionsOf(_id);
  await save({ version: 1, questions: [smoke] });
  assert.equal(await verdict(answer(_id, screen, yes)), '412 changed_meanwhile');
  assert.equal((await stored(_id)).answers, undefined);
  assert.deepEqual((await answered(_id)).answers, yes);
});

test('answers are taken until the doctor sees the patient, or the visit is over or cancelled', async () => {
  await save();
  const today = { patientId: clinic.issuer.idOf(ann.email), doctorAccountId: clinic.issuer.idOf(drGrey.email) };
  const state = (name: 'called' | 'with doctor' | 'missed', date: string, time: string) => ({
    attendance: { date, time, state: name, since: new Date() },
  });
  const { soon } = clinic;
  for (const [fields, isOpen] of [
    [{ date: soon, time: '09:00' }, true],
    [{ date: soon, time: '10:00', ...state('called', soon, '10:00') }, true],
    [{ date: soon, time: '11:00', ...state('with doctor', soon, '11:00') }, false],
    // What was noted about the time before a move.
    [{ date: soon, time: '12:00', ...state('with doctor', soon, '08:00') }, true],
    [{ date: addDays(clinic.today, -1), time: '09:00' }, false],
    [{ date: soon, time: '13:00', status: 'Cancelled' as const }, false],
  ] as [Partial<AppointmentRecord> & { date: string; time: string }, boolean][]) {
    const record = { ...storedAppointment({ ...today, ...fields }), ...fields };
    await clinic.appointments.insertOne(record);
    const id = record._id.toHexString();
    const screen = await questionsOf(id);
    assert.equal(screen.open, isOpen, JSON.stringify(fields));
    assert.equal(await verdict(answer(id, screen, yes)), isOpen ? '200' : '409 too_late', JSON.stringify(fields));
    assert.equal((await stored(id)).answers !== undefined, isOpen);
  }
});

test('at any time and in any state: who waits can answer until they are seen, who is only expected until the visit’s end', () => {
  const start = { date: '2030-05-06', time: '23:45' };
  const from = clinicMinute(start, 'Asia/Dhaka');
  for (const state of attendanceStates)
    for (const status of ['Pending', 'Confirmed', 'Cancelled'] as const)
      for (const minute of [-5_000, -1, 0, 29, 30, 389, 391, 2_000]) {
        const now = new Date((from + minute) * 60_000);
        const clock = { now, today: clinicMoment(now, 'Asia/Dhaka').date, timeZone: 'Asia/Dhaka' };
        const visit = {
          ...start,
          duration: 'PT30M',
          status,
          attendance: { ...start, state, since: now },
        };
        const isWaiting = state === 'arrived' || state === 'called';
        const inTime = isWaiting ? minute <= 390 : state === 'expected' && minute < 30;
        const own = { ...visit, patientId: 'a'.repeat(24) };
        assert.equal(canAnswer(own, clock), status !== 'Cancelled' && inTime, `${status} ${state} ${minute}`);
        assert.equal(canAnswer(visit, clock), false);
      }
});

test('an answer and the start of the visit at one moment: either it is in, or it is too late', async () => {
  for (const time of ['09:00', '09:30', '10:00']) {
    await clinic.empty('appointments', 'questionForms');
    await save();
    const { _id } = await clinic.book({ time });
    const screen = await questionsOf(_id);
    const [sent] = await Promise.all([
      answer(_id, screen, yes),
      clinic.appointments.updateOne(
        { _id: new ObjectId(_id) },
        { $set: { attendance: { date: clinic.soon, time, state: 'with doctor', since: new Date() } } },
      ),
    ]);
    assert.ok([200, 409].includes(sent.status), String(sent.status));
    assert.equal((await stored(_id)).answers !== undefined, sent.status === 200);
  }
});

test('a move and a hand-over keep the answers; a cancelled visit keeps them as its reason, and closes', async () => {
  await save();
  const { _id } = await clinic.book();
  await answered(_id);
  assert.equal((await clinic.reschedule(ann, _id, clinic.soon, '10:00')).status, 200);
  const handedOver = await clinic.as('admin')(`/appoinments/${_id}/doctor`, {
    method: 'PATCH',
    json: { doctoremail: drHouse.email, date: clinic.soon, time: '09:30', patientChoice: 'agreed' },
  });
  assert.equal(handedOver.status, 200, await handedOver.clone().text());
  assert.deepEqual((await questionsOf(_id, drHouse)).answers[0], yes[0]);
  assert.equal((await clinic.as(drGrey)(`/appoinments/${_id}/questions`)).status, 403);
  assert.equal((await clinic.setStatus(ann, _id, 'Cancelled')).status, 200);
  assert.equal((await questionsOf(_id)).open, false);
});

test('only patient, doctor and admins read answers, only the patient gives them; a look of staff is noted', async () => {
  await save();
  const { _id } = await clinic.book({ patientemail: ben.email });
  const screen = await questionsOf(_id, ben);
  const others = [ann, drHouse] as const;
  for (const who of others) {
    assert.equal((await clinic.as(who)(`/appoinments/${_id}/questions`)).status, 403);
    assert.equal((await answer(_id, screen, yes, who)).status, 403);
  }
  for (const who of ['admin', drGrey] as const) assert.equal((await answer(_id, screen, yes, who)).status, 403);
  for (const who of [ben, drGrey] as const) assert.equal((await saving({ version: 1 }, who)).status, 403);
  assert.equal((await stored(_id)).answers, undefined);
  assert.equal((await answer(_id, screen, yes, ben)).status, 200);
  await questionsOf(_id, 'admin');
  await questionsOf(_id, drGrey);
  await looksWritten(clinic.db);
  const looks = await read<Look[]>(clinic.as(ben), `/appoinments/looks?email=${ben.email}`);
  assert.deepEqual(looks.map(({ how, what }) => `${how} ${what}`).toSorted(), ['opened answers', 'opened answers']);
});

test('the history says that questions were answered, and a copy of the data what; a deletion removes it', async () => {
  await save();
  const { _id } = await clinic.book({ patientemail: ben.email });
  const secret = 'since the accident';
  const sent = await answer(_id, await questionsOf(_id, ben), [...yes, { id: 'since', answer: [secret] }], ben);
  assert.equal(sent.status, 200);
  const events = JSON.stringify(await clinic.eventsOf(_id));
  assert.ok(events.includes('"answers":"given"') && !events.includes(secret), events);
  const copy = await (await clinic.as(ben)(`/appoinments/export?email=${ben.email}`)).text();
  assert.ok(copy.includes(secret) && copy.includes(since.text), copy);
  await clinic.erase(personWith(clinic.issuer.idOf(ben.email), ben.email));
  const left = await stored(_id);
  assert.deepEqual([left.answers, left.answered], [undefined, undefined]);
});

test('messages know whether questions wait, and their link is planned with the booking', async () => {
  const before = await clinic.book({ time: '09:30' });
  await save();
  const { _id } = await clinic.book();
  const now = async () => {
    const response = await clinic.anonymous('/internal/visits', {
      method: 'POST',
      json: { ids: [_id, before._id] },
      headers: internalHeaders(internalSecret(clinic.context.settings)),
    });
    const visits = (await response.json()) as { readonly id: string; readonly questions?: true }[];
    return visits.filter(({ questions }) => questions).map(({ id }) => id);
  };
  assert.deepEqual(new Set(await now()), new Set([_id, before._id]));
  const planned = async (kind: string) => {
    const entries = await clinic.db.collection('outbox').find({ kind }).sort({ _id: 1 }).toArray();
    return entries.map(({ data }) => (data as { visit: { questions?: true } }).visit.questions);
  };
  assert.deepEqual(await planned('appointment-booked'), [undefined, true]);
  await answered(_id);
  assert.deepEqual(await now(), [before._id]);
  const moved = await clinic.reschedule(ann, _id, clinic.soon, '10:00');
  assert.equal(moved.status, 200);
  assert.deepEqual(await planned('appointment-moved'), [undefined]);
});

test('somebody who changes answers all day is stopped', async (t) => {
  holdClock(t);
  await save();
  const { _id } = await clinic.book();
  await clinic.db
    .collection<{ _id: string }>('persons')
    .updateOne(
      { _id: clinic.issuer.idOf(ann.email) },
      { $set: { today: { day: clinicMoment(new Date(), 'Asia/Dhaka').date, counts: { answers: 50 } } } },
      { upsert: true },
    );
  const sent = await answer(_id, await questionsOf(_id), yes);
  const { code, detail } = (await sent.json()) as Problem;
  assert.equal(code, 'rate_limited');
  assert.match(detail ?? '', /^You’ve answered questions 50 times today/);
  assert.equal((await stored(_id)).answers, undefined);
});
