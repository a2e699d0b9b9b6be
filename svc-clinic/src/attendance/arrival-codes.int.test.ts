import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type CallResponse } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import type { Appointment } from '../contract/schemas.ts';
import { admin, ann, ben, drGrey } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { attendanceAt } from '../testing/test-attendance.ts';
import { arrivalCodeOf } from './arrival-codes.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
const reception = { role: 'patient', email: 'desk@clinic.example', rights: ['reception'] } as const;
const { arrivalCodes } = collectionsOf(clinic.db);
beforeEach(() => clinic.empty('appointments', 'events', 'arrivalNumbers', 'arrivalCodes', 'counts'));

const visits = attendanceAt(clinic);
const visit = (fields: Partial<AppointmentRecord> = {}) => visits.visit({ time: '23:00', ...fields });
const codeOf = async (who: Who, id: string): Promise<string | undefined> =>
  (await read<CallResponse<'getPlaceInQueue'>>(clinic.as(who), `/appoinments/${id}/queue`)).code;
const say = (who: Who, code: string | undefined) =>
  clinic.as(who)('/appoinments/arrivals', { method: 'POST', json: { code } });
const stateNow = async (id: string) =>
  (await clinic.appointments.findOne({ _id: new ObjectId(id) }))?.attendance?.state;

test('whoever says the visit’s code has arrived, however it was typed, once', async () => {
  const id = await visit();
  const code = (await codeOf(ann, id)) ?? '';
  assert.match(code, /^[2-9A-HJ-KM-NP-TV-Z]{4}$/);
  assert.equal(await codeOf(ann, id), code);
  const answers = await Promise.all([
    say(reception, ` ${code.toLowerCase().slice(0, 2)}-${code.slice(2)}`),
    say(admin, code),
  ]);
  assert.deepEqual(
    await Promise.all(
      answers.map(async (answer) => {
        const { _id, patientname, attendance } = (await answer.json()) as Appointment;
        return [_id, patientname, attendance?.state, attendance?.number];
      }),
    ),
    [
      [id, 'Ann Lee', 'arrived', 1],
      [id, 'Ann Lee', 'arrived', 1],
    ],
  );
  assert.equal((await clinic.eventsOf(id)).length, 1);
  // Nobody needs it any more.
  assert.equal(await codeOf(ann, id), undefined);
});

test('only the desk tries codes, and gives up after thirty wrong ones', async () => {
  const id = await visit();
  const code = await codeOf(ann, id);
  for (const who of [ann, ben, drGrey, 'pharmacist'] as const)
    assert.equal(await verdict(say(who, code)), '403 forbidden');
  assert.equal(
    await verdict(clinic.anonymous('/appoinments/arrivals', { method: 'POST', json: { code } })),
    '401 unauthenticated',
  );
  assert.equal(await codeOf(admin, id), code);
  for (let wrong = 0; wrong < 30; wrong += 1) assert.equal(await verdict(say(reception, '0000')), '404 not_found');
  assert.equal(await verdict(say(reception, code)), '429 rate_limited');
  assert.equal(await stateNow(id), undefined);
  assert.equal(await verdict(say(admin, code)), '200');
});

test('a code is for its day: not for another, a cancelled visit, or one that has moved away', async () => {
  const later = await visit({ date: addDays(clinic.today, 1) });
  assert.equal(await codeOf(ann, later), undefined);
  const tomorrows = await arrivalCodeOf({ arrivalCodes }, { _id: new ObjectId(later), date: addDays(clinic.today, 1) });
  const moved = await visit({ time: '22:00' });
  const before = await codeOf(ann, moved);
  await clinic.appointments.updateOne({ _id: new ObjectId(moved) }, { $set: { date: addDays(clinic.today, 2) } });
  const cancelled = await visit({ time: '21:00' });
  const gone = await codeOf(ann, cancelled);
  await clinic.appointments.updateOne({ _id: new ObjectId(cancelled) }, { $set: { status: 'Cancelled' } });
  assert.equal(await codeOf(ann, cancelled), undefined);
  assert.equal(await verdict(say(admin, tomorrows)), '404 not_found');
  assert.equal(await verdict(say(admin, before)), '404 not_found');
  assert.equal(await verdict(say(admin, gone)), '409 transition_refused');
});

test('while many ask at once each visit has one code, and no two of a day the same', async () => {
  const ids = Array.from({ length: 40 }, () => new ObjectId());
  const asked = await Promise.all(
    [...ids, ...ids, ...ids].map((_id) => arrivalCodeOf({ arrivalCodes }, { _id, date: clinic.today })),
  );
  assert.equal(new Set(asked).size, ids.length);
  const stored = await arrivalCodes.find({}).toArray();
  assert.deepEqual(new Set(stored.map(({ _id }) => _id.slice(-4))), new Set(asked));
  assert.equal(stored.length, ids.length);
});

test('reminders have the code of a visit today or tomorrow', async () => {
  const ids = [await visit(), await visit({ date: addDays(clinic.today, 1) }), await visit({ date: clinic.soon })];
  const answer = await clinic.anonymous('/internal/visits', {
    method: 'POST',
    json: { ids },
    headers: internalHeaders(internalSecret(clinic.context.settings)),
  });
  const visits = (await answer.json()) as { readonly id: string; readonly code?: string }[];
  const codes = ids.map((id) => visits.find((one) => one.id === id)?.code);
  assert.deepEqual(
    codes.map((code) => typeof code),
    ['string', 'string', 'undefined'],
  );
  assert.equal(await codeOf(ann, ids[0] ?? ''), codes[0]);
});
