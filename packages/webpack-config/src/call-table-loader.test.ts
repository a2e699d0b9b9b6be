import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { calendarFeedRoutes } from '@clinic/svc-clinic/contract/calendar-feed-routes';
import { calendarRoutes } from '@clinic/svc-clinic/contract/calendar-routes';
import { clinicRoutes } from '@clinic/svc-clinic/contract';
import { scheduleRoutes } from '@clinic/svc-clinic/contract/schedule-routes';
import { seriesRoutes } from '@clinic/svc-clinic/contract/series-routes';
import { waitlistRoutes } from '@clinic/svc-clinic/contract/waitlist-routes';
import callTableLoader from './call-table-loader.ts';

const load = async (module: string, table: string): Promise<Record<string, unknown>> => {
  const resourcePath = fileURLToPath(import.meta.resolve(`@clinic/svc-clinic/contract/${module}`));
  const code = await callTableLoader.call({ resourcePath });
  return JSON.parse(code.slice(`export const ${table} = `.length, -1)) as Record<string, unknown>;
};

it('keeps what a browser needs to make each call: nothing about its errors, and no change stream', async () => {
  const reduced = await load('routes', 'clinicRoutes');
  const ofSomePages = [scheduleRoutes, waitlistRoutes, calendarRoutes, seriesRoutes, calendarFeedRoutes].flatMap(
    (table) => Object.keys(table),
  );
  const left = new Set([...ofSomePages, 'watchAppointments', 'getSchedulingManifest', 'getSchedulingFile']);
  assert.deepEqual(
    Object.keys(reduced),
    Object.keys(clinicRoutes).filter((id) => !left.has(id)),
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
  assert.deepEqual(await load('calendar-feed-routes', 'calendarFeedRoutes'), {
    getCalendarFeed: { service: 'clinic', path: calendarFeedRoutes.getCalendarFeed.path },
    replaceCalendarFeed: { service: 'clinic', method: 'POST', path: calendarFeedRoutes.replaceCalendarFeed.path },
    endCalendarFeed: { service: 'clinic', method: 'DELETE', path: calendarFeedRoutes.endCalendarFeed.path },
  });
});
