import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type CallBody, type Problem } from '@clinic/contracts';
import { scheduleLimits as limits } from '../contract/limits.ts';
import { drGrey } from '../testing/people.ts';
import { change, clinic, openClinicOfDrGrey, path, read, save } from '../testing/test-schedule.ts';

openClinicOfDrGrey();

const send = (to: string, json: object) => clinic.as(drGrey)(`${path}${to}`, { method: 'PATCH', json });
const off = (date: string) => ({ date, kind: 'off' as const, from: '00:00', until: '09:15', place: '' });
type Exceptions = NonNullable<CallBody<'changeSchedule'>['exceptions']>;

/** Each way to add a day off or an exception to those that are there. */
const ways: Readonly<Record<'daysOff' | 'exceptions', Readonly<Record<string, (date: string) => Promise<Response>>>>> =
  {
    daysOff: {
      closeDay: (date) => send('/day', { date, closed: true }),
      changeAvailability: async (date) => send('', { daysOff: [...(await read()).daysOff, date] }),
      'changeAvailability of two editors': (date) =>
        send('', { daysOff: [date], seen: { availableTimes: [], daysOff: [] } }),
      changeSchedule: async (date) => {
        const { version, daysOff } = await read();
        return save(drGrey, { version, daysOff: [...daysOff, date] });
      },
    },
    exceptions: {
      closeDay: (date) => send('/day', { date, closed: true, until: '09:15' }),
      changeSchedule: async (date) => {
        const { version, exceptions } = await read();
        return save(drGrey, { version, exceptions: [...exceptions, off(date)] });
      },
    },
  };

const full = {
  daysOff: () => Array.from({ length: limits.daysOff }, (_, index) => addDays(clinic.soon, index + 1)),
  exceptions: (): Exceptions =>
    Array.from({ length: limits.exceptions }, (_, index) => off(addDays(clinic.soon, index + 1))),
};

async function refusals(answer: Response): Promise<string> {
  assert.equal(answer.status, 400);
  const { errors = [] } = (await answer.json()) as Problem;
  return errors.map(({ message }) => message).join();
}

for (const part of ['daysOff', 'exceptions'] as const)
  for (const [way, add] of Object.entries(ways[part])) {
    test(`${way} adds none to ${part} beyond the limit, and what is there can be edited`, async () => {
      await change({ [part]: full[part]() });
      assert.match(await refusals(await add(clinic.soon)), new RegExp(`at most ${limits[part]}`));
      assert.equal((await read())[part].length, limits[part]);
      await change({ [part]: full[part]().slice(1) });
      assert.equal((await add(clinic.soon)).status, 200);
    });

    test(`${way} adds none to ${part} that is years ahead, and one that is stored stays`, async () => {
      const latest = addDays(clinic.today, limits.daysAhead);
      assert.equal((await add(latest)).status, 200);
      assert.match(await refusals(await add(addDays(latest, 1))), /too far ahead/);
      assert.equal((await read())[part].length, 1);
      // As an earlier release has stored it.
      const late = addDays(latest, 30);
      const field = part === 'daysOff' ? part : 'hours.exceptions';
      const stored = part === 'daysOff' ? late : off(late);
      await clinic.db.collection('doctors').updateMany({}, { $set: { [field]: [stored] } });
      assert.equal((await add(clinic.soon)).status, 200);
      assert.equal((await read())[part].length, 2);
    });
  }

for (const part of ['daysOff', 'exceptions'] as const)
  test(`more of ${part} than the limit, as stored earlier, are taken back one by one, and none is added`, async () => {
    const days = Array.from({ length: limits[part] + 2 }, (_, index) => addDays(clinic.soon, index + 1));
    const [field, stored] = part === 'daysOff' ? [part, days] : ['hours.exceptions', days.map(off)];
    await change({ [part]: full[part]().slice(1) });
    await clinic.db.collection('doctors').updateMany({}, { $set: { [field]: stored } });
    const until = part === 'exceptions' && { until: '09:15' };
    assert.equal((await send('/day', { date: days[0], closed: false, ...until })).status, 200);
    assert.match(
      await refusals(await send('/day', { date: clinic.soon, closed: true, ...until })),
      new RegExp(`at most ${limits[part]}`),
    );
    assert.equal((await read())[part].length, limits[part] + 1);
  });
