import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import type { CallResponse } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import { ann, ben, drGrey } from './people.ts';
import { sharedClinic, type TestClinic, type Who } from './test-clinic.ts';

// For the test files about calendar subscriptions.

/** The clinic of the current file. */
export let clinic: TestClinic;

/** Starts a clinic for all tests of a file, whose doctor has 45-minute appointments at two places. */
export async function openSubscribedClinic(): Promise<void> {
  clinic = await sharedClinic({ CLINIC_TZ: 'Europe/London', CLINIC_MAX_OPEN_APPOINTMENTS: '100' });
  await clinic.addDoctor({
    availableTimes: ['09:00', '09:45', '10:30', '18:00'],
    hours: {
      periods: [
        {
          slotMinutes: 45,
          bufferMinutes: 0,
          hours: weekdays.flatMap((day) => [
            { day, from: '09:00', until: '11:15', place: '' },
            { day, from: '18:00', until: '18:45', place: 'Branch, North Street; door 2' },
          ]),
        },
      ],
      exceptions: [],
      listedTimes: ['09:00', '09:45', '10:30', '18:00'],
    },
  });
  beforeEach(async () => {
    await clinic.empty('appointments', 'events', 'calendarFeeds');
    for (const who of [ann, ben, drGrey])
      clinic.issuer.setStanding(clinic.issuer.idOf(who.email), { active: true, role: who.role });
  });
}

export const own = '/appoinments/calendar-feed';
export async function subscribe(who: Who): Promise<string> {
  const answer = await clinic.as(who)(own, { method: 'POST' });
  assert.equal(answer.status, 201);
  return ((await answer.json()) as CallResponse<'replaceCalendarFeed'>).path;
}
/** Reads an address as a calendar program does: without cookies and without a browser's headers. */
export const readFeed = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${clinic.url}${path}`, { headers });
