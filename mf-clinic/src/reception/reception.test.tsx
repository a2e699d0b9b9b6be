import { pretendItIs } from '@clinic/app-kit/test-clock';
import { problemResponse, serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { notifications, queryClient } from '@clinic/app-kit/host';
import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { addDays, clinicInstant, clinicMoment } from '@clinic/contracts';
import { nextStates } from '@clinic/contracts/transitions';
import {
  attendanceStates,
  attendanceTransitions,
  whyNotNow,
  type AttendanceState,
} from '@clinic/svc-clinic/contract/attendance';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { hasLeft, minutesLate, nextSteps, stepsOf } from '../attendance/steps.ts';
import { describeEntry } from '../history/describe-entry.ts';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, nadia } from '../testing/records.ts';
import { countsOfDay, orderOfDesk } from './order-of-desk.ts';
import { ReceptionPage } from './reception-page.tsx';

const today = '2026-11-30';
const timeZone = 'Asia/Dhaka';
// In the morning: who is expected at night isn't late.
beforeEach(() => pretendItIs(`${today}T10:00:00+06:00`));
afterEach(() => jest.useRealTimers());

const clockAt = (date: string, time: string) => ({
  now: clinicInstant({ date, time }, timeZone).getTime(),
  today: date,
  timeZone,
});
const now = clockAt(today, '10:00');
let made = 0;
function visit(patientname: string, time: string, state?: AttendanceState, more: Partial<VisitOfDay> = {}): VisitOfDay {
  made += 1;
  const since = new Date(Date.now() - 8 * 60_000).toISOString();
  return {
    ...appointment({ date: today, time, patientname, status: 'Confirmed' }),
    _id: String(made).padStart(24, '0'),
    missedBefore: 0,
    ...(state && { attendance: { state, since, arrivedAt: since, number: made } }),
    ...more,
  };
}

test('late ones come first, then who waits longest, who is inside, and who is expected; the rest is done', () => {
  const early = visit('Waits', '10:30', 'arrived');
  const longer = visit('Waits longer', '11:00', 'called', {
    attendance: { state: 'called', since: 'z', arrivedAt: '2000-01-01T00:00:00Z' },
  });
  const visits = [
    visit('Inside', '09:00', 'with doctor'),
    visit('Later', '12:00'),
    visit('Next', '10:00'),
    early,
    longer,
    visit('Late', '09:50'),
    visit('Later than late', '09:20'),
    visit('Seen', '08:00', 'finished'),
    visit('Missed', '08:30', 'missed'),
  ];
  const [desk] = orderOfDesk(visits, now);
  expect(desk?.open.map(({ patientname }) => patientname)).toEqual([
    'Later than late',
    'Late',
    'Waits longer',
    'Waits',
    'Inside',
    'Next',
    'Later',
  ]);
  expect(desk?.done.map(({ patientname }) => patientname)).toEqual(['Seen', 'Missed']);
  expect(countsOfDay(visits, now)).toEqual({ late: 2, waiting: 2, inside: 1, expected: 2 });
});

test('each state that isn’t final has a button, for a change that the service allows', () => {
  for (const state of attendanceStates) {
    const allowed = nextStates(attendanceTransitions, state, ['admin']);
    expect(allowed.includes(nextSteps[state]?.to ?? 'expected')).toBe(allowed.length > 0);
  }
});

test('at any time and in any state, the buttons are those that the service accepts', () => {
  const minutes = [-9 * 1_440, -1_440, -400, -30, -1, 0, 29, 30, 60, 389, 391, 1_440, 6 * 1_440, 8 * 1_440];
  for (const state of attendanceStates)
    for (const minute of minutes) {
      const one = visit('Ann', '23:45', state);
      const start = clinicInstant(one, timeZone).getTime();
      const instant = start + minute * 60_000;
      const clock = { now: instant, today: clinicMoment(new Date(instant), timeZone).date, timeZone };
      const timed = { date: today, start, end: start + 30 * 60_000, state };
      const accepted = nextStates(attendanceTransitions, state, ['admin']).filter(
        (to) => whyNotNow(timed, to, clock) === undefined,
      );
      const { next, missed } = stepsOf(one, clock);
      const offered = [next?.to, missed && ('missed' as const)].filter((to) => to !== undefined);
      // “With doctor” without a call is a step that only the doctor’s day may leave out.
      for (const to of offered)
        expect([state, minute, accepted]).toEqual([state, minute, expect.arrayContaining([to])]);
      expect([state, minute, missed !== undefined]).toEqual([state, minute, accepted.includes('missed')]);
    }
});

test('who leaves before their time has left, and isn’t one who didn’t come', () => {
  const early = (state: AttendanceState) => stepsOf(visit('Ann', '10:30', state), now).missed;
  expect([early('arrived'), early('called'), early('expected')]).toEqual(['Left', 'Left', undefined]);
  expect(stepsOf(visit('Ann', '10:00'), now).missed).toBe('Didn’t come');
  const left = visit('Ann', '10:30', 'missed');
  expect([hasLeft(left), hasLeft(visit('Ben', '10:00')), hasLeft(visit('Ben', '10:00', 'called'))]).toEqual([
    true,
    false,
    false,
  ]);
  const noted = (before: AttendanceState) =>
    describeEntry({
      at: new Date().toISOString(),
      action: 'attendance noted',
      before: { attendance: before },
      after: { attendance: 'missed' },
    });
  expect([noted('called'), noted('expected')]).toEqual(['Left', 'Didn’t come']);
});

test('a visit from before midnight is late by the clock that passes, comes before those of today, and has its buttons', () => {
  const after = clockAt(addDays(today, 1), '00:20');
  const night = visit('Night', '23:50');
  const [desk] = orderOfDesk([visit('Next', '00:30', undefined, { date: addDays(today, 1) }), night], after);
  expect(desk?.open.map(({ patientname }) => patientname)).toEqual(['Night', 'Next']);
  expect(minutesLate(night, after)).toBe(30);
  expect(stepsOf(night, after).next?.to).toBe('arrived');
});

let visits: VisitOfDay[] = [];
let sent: PageRequest[] = [];
let refuse = false;
/** The second visit's code is K7QM. */
function arrive({ body }: PageRequest): Response {
  const [, ben] = visits;
  if (!ben || (body as { readonly code: string }).code !== 'K7QM')
    return problemResponse('not_found', 404, { detail: 'No visit of today has this code.' });
  const since = new Date().toISOString();
  visits = visits.map((one) =>
    one === ben ? { ...one, attendance: { state: 'arrived', since, arrivedAt: since, number: 7 } } : one,
  );
  return Response.json(visits[1]);
}
prepareBrowser({ wide: true });
beforeEach(() => {
  queryClient.clear();
  visits = [visit('Ann Lee', '00:00', 'arrived'), visit('Ben Kay', '23:58'), visit('Cy Roe', '23:59')];
  sent = [];
  act(() => notifications.set([]));
  refuse = false;
  serveAs(nadia, (request) => {
    if (request.path === '/appoinments/day') return Response.json({ visits, complete: true });
    if (request.path === '/doctors') return Response.json([]);
    if (request.path === '/appoinments/arrivals') return arrive(request);
    sent.push(request);
    if (refuse) return problemResponse('transition_refused', 409, { detail: 'Ann Lee has been called by now.' });
    const id = request.path.split('/')[2];
    const { to } = request.body as { readonly to: AttendanceState };
    const since = new Date().toISOString();
    visits = visits.map((one) =>
      one._id === id ? { ...one, attendance: { state: to, since, arrivedAt: since } } : one,
    );
    return Response.json(visits.find(({ _id }) => _id === id));
  });
});
const open = () => renderRoutes([{ path: '/dash/reception', Component: ReceptionPage }], '/dash/reception');

test('a whole day goes by keyboard: arrows from row to row, Enter for what comes next', async () => {
  await open();
  const call = await screen.findByRole('button', { name: /^Call in: Ann Lee/ });
  expect(screen.getByText(/for [78] min · no\. /)).toBeTruthy();
  call.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Arrived: Ben Kay/);
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('button', { name: /^Call in: Ben Kay/ });
  expect(sent.map(({ body }) => body)).toEqual([{ from: 'expected', to: 'arrived' }]);
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Call in: Ben Kay/);
  await userEvent.keyboard('{Home}');
  for (const words of ['With doctor', 'Finish']) {
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('button', { name: new RegExp(`^${words}: Ann Lee`) });
  }
  screen.getByRole('button', { name: /^Finish: Ann Lee/ }).focus();
  await userEvent.keyboard('{Enter}');
  // Its row has no next step any more: the focus goes on, and isn't lost.
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/: (Ben|Cy) /));
});

test('a code and Enter: the patient has arrived; a wrong one says so and can be corrected', async () => {
  await open();
  const field = await screen.findByRole('textbox', { name: 'Patient’s code' });
  await userEvent.type(field, 'K7QN{Enter}');
  expect(await screen.findByText('No visit of today has this code.')).toBeTruthy();
  await userEvent.type(field, '{Backspace}M{Enter}');
  expect(await screen.findByRole('button', { name: /^Call in: Ben Kay/ })).toBeTruthy();
  await waitFor(() => expect(shownNotifications()).toEqual(['Ben Kay, 11:58 PM with Dr. Grey: arrived, no. 7']));
  expect(screen.queryByText('No visit of today has this code.')).toBeNull();
  expect(document.activeElement).toBe(field);
  expect((field as HTMLInputElement).value).toBe('');
});

test('what somebody else has done meanwhile is said and shown', async () => {
  await open();
  const call = await screen.findByRole('button', { name: /^Call in: Ann Lee/ });
  refuse = true;
  visits = visits.map((one, index) => (index === 0 ? visit('Ann Lee', '00:00', 'called') : one));
  await userEvent.click(call);
  expect(await screen.findByRole('button', { name: /^With doctor: Ann Lee/ })).toBeTruthy();
});

test('finds a patient by name, and shows one doctor’s day', async () => {
  visits.push(visit('Dee Poe', '23:57', undefined, { doctorname: 'Dr. House', doctoremail: 'house@clinic.example' }));
  await open();
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Find a patient' }), 'ka');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  await userEvent.clear(screen.getByRole('searchbox', { name: 'Find a patient' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Doctor' }), 'Dr. House');
  const day = screen.getByRole('region', { name: 'Dr. House' });
  expect(within(day).getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

test('a visit of another day is never late', () => {
  expect(countsOfDay([visit('Ann', '09:00', undefined, { date: addDays(today, 1) })], now).late).toBe(0);
});
