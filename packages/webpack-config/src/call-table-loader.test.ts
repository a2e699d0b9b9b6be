import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { attendanceCalls } from '@clinic/svc-clinic/contract/attendance-calls';
import { calendarFeedCalls } from '@clinic/svc-clinic/contract/calendar-feed-calls';
import { calendarCalls } from '@clinic/svc-clinic/contract/calendar-calls';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { profileCalls } from '@clinic/svc-clinic/contract/profile-calls';
import { questionCalls } from '@clinic/svc-clinic/contract/question-calls';
import { recordsCalls } from '@clinic/svc-clinic/contract/records-calls';
import { scheduleCalls } from '@clinic/svc-clinic/contract/schedule-calls';
import { seriesCalls } from '@clinic/svc-clinic/contract/series-calls';
import { waitingRoomCalls } from '@clinic/svc-clinic/contract/waiting-room-calls';
import { waitlistCalls } from '@clinic/svc-clinic/contract/waitlist-calls';
import callTableLoader from './call-table-loader.ts';

const load = async (module: string, table: string): Promise<Record<string, unknown>> => {
  const resourcePath = fileURLToPath(import.meta.resolve(`@clinic/svc-clinic/contract/${module}`));
  const code = await callTableLoader.call({ resourcePath });
  return JSON.parse(code.slice(`export const ${table} = `.length, -1)) as Record<string, unknown>;
};

it('keeps what a browser needs to make each call: nothing about its errors, and no change stream', async () => {
  const reduced = await load('calls', 'clinicCalls');
  const tables = [
    profileCalls,
    scheduleCalls,
    waitlistCalls,
    calendarCalls,
    attendanceCalls,
    waitingRoomCalls,
    questionCalls,
    seriesCalls,
    recordsCalls,
    calendarFeedCalls,
  ];
  const ofSomePages = tables.flatMap((table) => Object.keys(table));
  const left = new Set([...ofSomePages, 'watchAppointments', 'getSchedulingManifest', 'getSchedulingFile']);
  assert.deepEqual(
    Object.keys(reduced),
    Object.keys(clinicCalls).filter((id) => !left.has(id)),
  );
  assert.deepEqual(reduced['bookAppointment'], {
    service: 'clinic',
    method: 'POST',
    path: '/appoinments',
    idempotent: true,
  });
  assert.deepEqual(reduced['listDoctors'], {
    service: 'clinic',
    path: '/doctors',
    access: { kind: 'everyone' },
  });
});

it('reduces the tables that a remote adds, and leaves out calls for programs only', async () => {
  assert.deepEqual(await load('calendar-feed-calls', 'calendarFeedCalls'), {
    getCalendarFeed: { service: 'clinic', path: calendarFeedCalls.getCalendarFeed.path },
    replaceCalendarFeed: { service: 'clinic', method: 'POST', path: calendarFeedCalls.replaceCalendarFeed.path },
    endCalendarFeed: { service: 'clinic', method: 'DELETE', path: calendarFeedCalls.endCalendarFeed.path },
  });
});
