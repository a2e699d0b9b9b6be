import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { notifications, queryClient, session } from '@clinic/app-kit/host';
import type { CalendarAppointment, CalendarDoctor } from '@clinic/svc-clinic/contract/calendar-calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../setup.ts';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, doctor, nadia } from '../testing/records.ts';
import { CalendarPage } from './calendar-page.tsx';
import { nameOfDay } from './close-day.tsx';
import type { DayColumn } from './grid-layout.ts';
import { SeveralAtOnce } from './several-at-once.tsx';

prepareBrowser();

const visit = (id: string, patientname: string, status: CalendarAppointment['status']): CalendarAppointment => ({
  ...appointment({ _id: id.repeat(24), patientname, status, date: '2100-01-04', time: `1${id}:00` }),
  ends: `1${id}:30`,
  outside: false,
});
const now = { date: '2100-01-04', time: '08:00' };
const grey: CalendarDoctor = { ...doctor, anyTime: false, days: [] };
const column = (date: string, appointments: readonly CalendarAppointment[]): DayColumn => ({
  key: date,
  doctor: grey,
  day: { date, hours: [], off: [], blocks: [], slots: [] },
  appointments,
});

test('chosen appointments are cancelled one after another; a rejected one stays with its reason', async () => {
  notifications.set([]);
  const asked: unknown[] = [];
  serveAs(nadia, ({ method, path, body }) => {
    if (method !== 'PATCH') return Response.json([]);
    asked.push([path, body]);
    if (path.endsWith('2'.repeat(24)))
      return problemResponse('transition_refused', 409, { detail: 'Ben has just moved it.' });
    if (path === '/appoinments/undone-status') return Response.json([]);
    return Response.json({ ...visit('1', 'Ann', 'Cancelled') });
  });
  await session.load();
  const visits = [visit('1', 'Ann', 'Pending'), visit('2', 'Ben', 'Confirmed'), visit('3', 'Cleo', 'Confirmed')];
  const past = { ...visit('4', 'Dan', 'Pending'), date: '2100-01-03' };
  const columns = [column(past.date, [past]), column(now.date, visits)];
  await renderRoutes([{ path: '*', element: <SeveralAtOnce columns={columns} now={now} /> }], '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Several at once …' }));
  expect(screen.queryByText('Dan')).toBeNull();
  expect(screen.getByRole('button', { name: 'Confirm 1 appointment' })).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: /^Cleo/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }));
  expect(await screen.findByText('Ben has just moved it.')).toBeTruthy();
  await waitFor(() =>
    expect(shownNotifications().toSorted((one, other) => one.localeCompare(other))).toEqual([
      '1 appointment is cancelled',
      '1 appointment is not cancelled: Ben has just moved it.',
    ]),
  );
  const { doctoremail } = appointment();
  const seen = (time: string, status: string) => ({ date: '2100-01-04', time, status });
  expect(asked).toEqual([
    [
      `/update-appoinment/${'1'.repeat(24)}`,
      { newStatus: 'Cancelled', seen: { doctoremail, ...seen('11:00', 'Pending') } },
    ],
    [
      `/update-appoinment/${'2'.repeat(24)}`,
      { newStatus: 'Cancelled', seen: { doctoremail, ...seen('12:00', 'Confirmed') } },
    ],
  ]);
  await act(async () =>
    notifications
      .get()
      .find(({ action }) => action)
      ?.action?.run(),
  );
  expect(asked.at(-1)).toEqual([
    '/appoinments/undone-status',
    { changes: [{ id: '1'.repeat(24), seen: seen('11:00', 'Cancelled') }] },
  ]);
});

test('a day that is cancelled as a whole is closed to new bookings first, unless that isn’t wanted or possible', async () => {
  notifications.set([]);
  const asked: unknown[] = [];
  let closing = problemResponse('unavailable', 503, { detail: 'Try again later.' });
  serveAs(nadia, ({ method, path, body }) => {
    if (method !== 'PATCH') return Response.json([]);
    if (path === `/doctors/${grey._id}/day`) {
      asked.push(body);
      return closing;
    }
    asked.push(path);
    return Response.json(visit('1', 'Ann', 'Cancelled'));
  });
  await session.load();
  const columns = [column(now.date, [visit('1', 'Ann', 'Pending'), visit('2', 'Ben', 'Confirmed')])];
  await renderRoutes([{ path: '*', element: <SeveralAtOnce columns={columns} now={now} /> }], '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Several at once …' }));
  const box = () =>
    screen.queryByRole('checkbox', {
      name: 'Before cancelling, close the day to new bookings',
      description: nameOfDay(columns[0] as DayColumn),
    });
  const cancel = () => userEvent.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }));
  await cancel();
  await waitFor(() => expect(shownNotifications()[0]).toContain('Try again later.'));
  const closed = { date: now.date, closed: true };
  expect(asked).toEqual([closed]);
  await userEvent.click(screen.getByRole('checkbox', { name: /^Ben/ }));
  expect(box()).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: /^Ben/ }));
  closing = Response.json({ changed: true });
  await cancel();
  const cancelled = ['1', '2'].map((id) => `/update-appoinment/${id.repeat(24)}`);
  await waitFor(() => expect(asked).toEqual([closed, closed, ...cancelled]));
  expect(shownNotifications()).toContain(`${nameOfDay(columns[0] as DayColumn)}: closed to new bookings`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  asked.length = 0;
  await userEvent.click(await screen.findByRole('button', { name: 'Several at once …' }));
  await userEvent.click(box() ?? document.body);
  await cancel();
  await waitFor(() => expect(asked).toEqual(cancelled));
});

test('several days are closed with one notice that opens them again, by default only with all that is shown', async () => {
  notifications.set([]);
  const asked: unknown[] = [];
  let answers: (() => Response | Promise<Response>)[] = [];
  serveAs(nadia, ({ method, path, body }) => {
    if (method !== 'PATCH') return Response.json([]);
    if (path !== `/doctors/${grey._id}/day`) {
      asked.push(path);
      return Response.json(visit('1', 'Ann', 'Cancelled'));
    }
    asked.push(body);
    return answers.shift()?.() ?? Response.json({ changed: true });
  });
  await session.load();
  const dates = ['2100-01-04', '2100-01-05', '2100-01-06', '2100-01-07', '2100-01-08'];
  const columns = dates.map((date, index) => column(date, [{ ...visit(`${index}`, `P${index}`, 'Pending'), date }]));
  const names = columns.map(nameOfDay);
  await renderRoutes([{ path: '*', element: <SeveralAtOnce columns={columns} now={now} /> }], '/');
  const openDialog = async () => userEvent.click(await screen.findByRole('button', { name: 'Several at once …' }));
  const cancel = (number: number) =>
    userEvent.click(screen.getByRole('button', { name: `Cancel ${number} appointments` }));
  const sentFor = (some: readonly string[], closed: boolean) => some.map((date) => ({ date, closed }));
  const shown = async (text: string) => {
    await waitFor(() => expect(shownNotifications()).toContain(text));
    return notifications.get().find((one) => text.startsWith(one.text));
  };

  // Two visits that happen to be alone on their days.
  await openDialog();
  for (const name of ['P0', 'P1', 'P2'])
    await userEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^${name}`) }));
  const box = screen.getByRole('checkbox', { name: 'Before cancelling, close 2 days to new bookings', checked: false });
  expect(box).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'All 5' }));
  expect(
    screen.getByRole('checkbox', { name: 'Before cancelling, close 5 days to new bookings', checked: true }),
  ).toBeTruthy();

  // The third can't be closed.
  const refuse = () => problemResponse('validation_failed', 400, { detail: 'Too many days off.' });
  answers = [() => Response.json({ changed: true }), () => Response.json({ changed: false }), refuse];
  await cancel(5);
  await shown(`${names[2]}: not closed: No appointment was changed. Too many days off.`);
  expect(await shown(`${names[0]}: closed to new bookings`)).toMatchObject({ action: { label: 'Open again' } });
  expect(asked).toEqual(sentFor(dates.slice(0, 3), true));

  // Pressed, and then the other button, while the first closing hangs.
  asked.length = 0;
  let finish: (response: Response) => void = () => undefined;
  answers = [() => new Promise((resolve) => (finish = resolve))];
  await cancel(5);
  await userEvent.click(screen.getByRole('button', { name: 'Confirm 5 appointments' }));
  await cancel(5);
  expect(asked).toEqual(sentFor(dates.slice(0, 1), true));
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  act(() => notifications.set([]));
  finish(Response.json({ changed: true }));
  // Who leaves between two days doesn’t want the others closed.
  await shown(`${names[0]}: closed to new bookings`);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(asked).toEqual(sentFor(dates.slice(0, 1), true));

  asked.length = 0;
  await openDialog();
  await cancel(5);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual([
    ...sentFor(dates, true),
    ...dates.map((_, index) => `/update-appoinment/${`${index}`.repeat(24)}`),
  ]);
  const all = await shown(`5 days: closed to new bookings: ${names.join('; ')}`);

  asked.length = 0;
  answers = [refuse];
  await act(async () => all?.action?.run());
  expect(asked).toEqual(sentFor(dates, false));
  expect(shownNotifications()).toContain(`4 days: open to bookings again: ${names.slice(1).join('; ')}`);
  expect(shownNotifications()).toContain(`${names[0]}: still closed: Too many days off.`);
});

test('a day’s calendar offers the visits of the doctors on screen, and nobody who books meanwhile is chosen', async () => {
  const date = '2100-01-04';
  const doctorOf = (_id: string): CalendarDoctor => ({
    _id,
    name: `Dr. ${_id}`,
    email: `${_id}@clinic.example`,
    specialization: 'Cardiologist',
    location: '',
    anyTime: false,
    days: [{ date, hours: [], off: [], blocks: [], slots: [] }],
  });
  const doctors = [doctorOf('Chen'), doctorOf('Diaz'), doctorOf('Hidden')];
  const at = (of: string, id: string, name: string) => ({
    ...visit(id, name, 'Confirmed'),
    doctoremail: `${of}@clinic.example`,
  });
  let appointments = [at('Chen', '1', 'Ann'), at('Diaz', '2', 'Ben'), at('Hidden', '3', 'Cleo')];
  const cancelled: string[] = [];
  localStorage.setItem('calendar-left-out', 'Hidden');
  serveAs(nadia, ({ method, path }) => {
    if (path === '/doctors/calendar') return Response.json({ doctors, appointments, more: false, complete: true });
    if (method !== 'PATCH') return Response.json([]);
    cancelled.push(path);
    return Response.json(appointments.find(({ _id }) => path.endsWith(_id)));
  });
  await session.load();
  await renderRoutes([{ path: '*', Component: CalendarPage }], `/?view=day&date=${date}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Several at once …' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Several at once' }));
  const listed = within(dialog.getByRole('group', { name: 'Appointments' }));
  const names = () => listed.getAllByRole('listitem').map(({ textContent }) => textContent.split(',')[0]);
  expect(names()).toEqual(['Ann', 'Ben']);
  appointments = [...appointments, at('Chen', '5', 'Eve'), at('Hidden', '6', 'Fay')];
  await act(() => queryClient.invalidateQueries());
  expect(await dialog.findByRole('checkbox', { name: /^Eve/, checked: false })).toBeTruthy();
  expect(names()).toEqual(['Ann', 'Eve', 'Ben']);
  await userEvent.click(dialog.getByRole('checkbox', { name: /^Ben/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel 1 appointment' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cancelled).toEqual([`/update-appoinment/${'1'.repeat(24)}`]);
  localStorage.clear();
});
