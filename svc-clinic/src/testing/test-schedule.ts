import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import type { CallBody } from '@clinic/contracts';
import type { Appointment, Doctor } from '../contract/schemas.ts';
import type { OutsideAppointment, Schedule } from '../contract/schedule-schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import { drGrey } from './people.ts';
import { startTestClinic, type TestClinic, type Who } from './test-clinic.ts';

// For the test files about schedules.

/** The clinic of the current file. */
export let clinic: TestClinic;
/** The doctor's path, with the id of the current test. */
export let path: string;

/** Starts a clinic for all tests of a file, which has Dr. Grey alone before each. */
export function openClinicOfDrGrey(): void {
  before(async () => {
    clinic = await startTestClinic();
  });
  after(() => clinic.close());
  beforeEach(async () => {
    await clinic.empty('appointments', 'doctors', 'events');
    await clinic.db.collection('holidays').updateMany({}, { $set: { list: [] } });
    path = `/doctors/${(await clinic.addDoctor())._id.toHexString()}`;
  });
}

export const read = async (who: Who = drGrey): Promise<Schedule> =>
  (await (await clinic.as(who)(`${path}/schedule`)).json()) as Schedule;
export const save = (who: Who, json: unknown) => clinic.as(who)(`${path}/schedule`, { method: 'PATCH', json });
const everyDay = (from: string, until: string) => weekdays.map((day) => ({ day, from, until, place: '' }));
export const period = (from: string, until: string, slotMinutes = 30) => ({
  slotMinutes,
  bufferMinutes: 0,
  hours: everyDay(from, until),
});

/** Saves a change of the current schedule and expects success. */
export async function change(
  fields: Partial<CallBody<'changeSchedule'>>,
  who: Who = drGrey,
): Promise<{ readonly schedule: Schedule; readonly outside: OutsideAppointment[] }> {
  const answer = await save(who, { ...(await read(who)), ...fields });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as { schedule: Schedule; outside: OutsideAppointment[] };
}

export const freeOn = async (date: string): Promise<string[]> =>
  ((await (await clinic.anonymous(`${path}/free-times?date=${date}`)).json()) as { times: string[] }).times;
export const shown = async (): Promise<Doctor> =>
  (await (await clinic.anonymous(`/doctors?_id=${path.slice('/doctors/'.length)}`)).json()) as Doctor;
/** Times of the appointments outside the doctor's hours. */
export const outsideNow = async (): Promise<string[]> =>
  ((await (await clinic.as(drGrey)(`${path}/outside-times`)).json()) as Appointment[]).map(({ time }) => time);
