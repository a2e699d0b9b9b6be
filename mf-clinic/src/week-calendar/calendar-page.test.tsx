import { problemResponse, serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { formatDate } from '@clinic/contracts';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CalendarPage } from './calendar-page.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { calendarOf, monday, night, saved, tuesday, wednesday, weekDays } from '../testing/calendar.ts';
import { appointment as anyAppointment, doctor, grey } from '../testing/records.ts';

/** Of the profile: the doctor's own address has changed since. */
const email = 'former@clinic.example';

const appointment: CalendarAppointment = {
  ...anyAppointment({ doctoremail: email, date: monday, time: '09:00', status: 'Confirmed', you: ['doctor'] }),
  changeUntil: '2100-01-01T00:00:00Z',
  ends: '09:30',
  outside: false,
};
const week = () => calendarOf(weekDays, [appointment], email);

interface World {
  calendar: () => Response;
  move: () => Promise<Response>;
  hours: () => Promise<Response>;
  schedule: (body: Record<string, unknown>) => Response;
  readonly sent: { readonly path: string; readonly body: unknown }[];
}
let world: World;

function answer({ method, path, body }: PageRequest): Response | Promise<Response> {
  if (path.startsWith('/doc-pharma/')) return Response.json([{ _id: doctor._id, name: 'Dr. Grey' }]);
  if (path === '/doctors/calendar') return world.calendar();
  if (path.endsWith('/schedule') && method !== 'PATCH') return world.hours();
  world.sent.push({ path, body });
  if (path.endsWith('/schedule')) return world.schedule(body as Record<string, unknown>);
  if (path === `/appoinments/${appointment._id}` || path === '/appoinments/undone') return world.move();
  throw new Error(`The test has no answer for ${path}`);
}

async function open(date = monday): Promise<void> {
  await session.load();
  await renderRoutes([{ path: '/dash/calendar', Component: CalendarPage }], `/dash/calendar?date=${date}`);
}

const named = (time: string, date: string) => new RegExp(`^Ann Lee, ${time}.*${formatDate(date)}`);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

/** Opens the dialog that blocks the free time at half past nine. */
async function openBlocking(date: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: new RegExp(`^Free, 9:30.*${formatDate(date)}`) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Block this time' }));
}

prepareBrowser({ wide: true });
beforeEach(() => {
  world = {
    calendar: () => Response.json(week()),
    move: () => Promise.resolve(Response.json({ ...appointment, date: tuesday, time: '09:30' })),
    hours: () => Promise.resolve(Response.json(saved)),
    schedule: () => Response.json({ schedule: saved, outside: [] }),
    sent: [],
  };
  serveAs(grey, answer);
});

/** From the appointment's details to the free time beside and below it. */
async function moveByKeys(): Promise<void> {
  (await screen.findByRole('button', { name: named('9:00', monday) })).focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Move' }));
  const first = await screen.findByRole('button', { name: `Move Ann Lee to 9:30 AM, ${formatDate(monday)}` });
  await waitFor(() => expect(document.activeElement).toBe(first));
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe(`Move Ann Lee to 9:30 AM, ${formatDate(tuesday)}`);
}

/** Enter on the time, which asks first and says what the patient is told; then the question's second button. */
async function confirmMove(): Promise<void> {
  await userEvent.keyboard('{Enter}');
  const question = within(
    await screen.findByRole('alertdialog', { name: `Move Ann Lee to ${formatDate(tuesday)} at 9:30 AM?` }),
  );
  expect(question.getByText(/^The patient gets a message: .* at 9:30 AM instead of .* at 9:00 AM\.$/)).toBeTruthy();
  expect(world.sent).toEqual([]);
  question.getByRole('button', { name: 'Move' }).focus();
  await userEvent.keyboard('{Enter}');
}

test('moves an appointment by keyboard, shows it in its new place at once and keeps the focus on it', async () => {
  await open();
  let finish: (response: Response) => void = () => undefined;
  world.move = () => new Promise((resolve) => (finish = resolve));
  await moveByKeys();
  await confirmMove();
  const moved = await screen.findByRole('button', { name: named('9:30', tuesday) });
  await waitFor(() => expect(document.activeElement).toBe(moved));
  const onScreen = { doctoremail: email, date: monday, time: '09:00' };
  expect(world.sent).toEqual([
    { path: `/appoinments/${appointment._id}`, body: { date: tuesday, time: '09:30', seen: onScreen } },
  ]);
  world.calendar = () =>
    Response.json({ ...week(), appointments: [{ ...appointment, date: tuesday, time: '09:30', ends: '10:00' }] });
  finish(Response.json({ ...appointment, date: tuesday, time: '09:30' }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(await screen.findByRole('button', { name: named('9:30', tuesday) })).toBeTruthy();
});

test('puts the appointment back and says why if the service rejects the move', async () => {
  await open();
  world.move = () => Promise.resolve(problemResponse('slot_taken', 409));
  await moveByKeys();
  await confirmMove();
  expect(await screen.findByRole('button', { name: named('9:00', monday) })).toBeTruthy();
  expect(await screen.findByText(`Ann Lee is back on ${formatDate(monday)} at 9:00 AM.`)).toBeTruthy();
});

test('doesn’t say that the appointment is back if the answer was lost, and shows where it is now', async () => {
  await open();
  const moved = { ...appointment, date: tuesday, time: '09:30', ends: '10:00' };
  world.move = () => {
    world.calendar = () => Response.json({ ...week(), appointments: [moved] });
    return Promise.reject(new TypeError('The connection was lost'));
  };
  await moveByKeys();
  await confirmMove();
  const lost = `We couldn’t confirm the move of Ann Lee to ${formatDate(tuesday)} at 9:30 AM`;
  expect(await screen.findByText(`${lost}.`)).toBeTruthy();
  expect(notifications.get().at(-1)?.text).toBe(lost);
  await waitFor(() => expect(queryClient.isFetching() + queryClient.isMutating()).toBe(0));
  expect(screen.getByRole('button', { name: named('9:30', tuesday) })).toBeTruthy();
});

test('Escape keeps the old time and sends nothing', async () => {
  await open();
  await moveByKeys();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('Ann Lee stays at the old time.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Move Ann Lee/ })).toBeNull();
  expect(world.sent).toEqual([]);
});

test('the old time can be kept once it is said what the patient would be told', async () => {
  await open();
  await moveByKeys();
  await userEvent.keyboard('{Enter}');
  await press('Keep the old time');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByText('Ann Lee stays at the old time.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(named('9:00', monday)));
  expect(world.sent).toEqual([]);
});

test('blocks a free time with the version of the hours that it has read', async () => {
  await open();
  await openBlocking(monday);
  fireEvent.change(await screen.findByLabelText('Until'), { target: { value: '10:30' } });
  await press('Block');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(world.sent).toEqual([
    {
      path: `/doctors/${doctor._id}/schedule`,
      body: {
        version: 'v1',
        exceptions: [...saved.exceptions, { date: monday, kind: 'off', from: '09:30', until: '10:30', place: '' }],
      },
    },
  ]);
});

test('a doctor with the desk’s rights blocks their own time, whatever address the profile has, and nobody else’s', async () => {
  const [own] = week().doctors;
  const other = { ...own, _id: 'e'.repeat(24), name: 'Dr. House', email: 'house@clinic.example' };
  world.calendar = () => Response.json({ ...week(), doctors: [own, other] });
  serveAs({ ...grey, rights: ['reception'] }, (request) =>
    request.path === '/doctors' ? Response.json([]) : answer(request),
  );
  await open(tuesday);
  const free = await screen.findAllByRole('button', { name: new RegExp(`^Free, 9:30.*${formatDate(tuesday)}`) });
  const offered: boolean[] = [];
  for (const slot of free) {
    await userEvent.click(slot);
    await screen.findByRole('button', { name: 'Book' });
    offered.push(screen.queryByRole('button', { name: 'Block this time' }) !== null);
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(offered).toEqual([true, false]);
});

test('can’t block before the hours are loaded', async () => {
  await open();
  const { promise, resolve } = Promise.withResolvers<Response>();
  world.hours = () => promise;
  await openBlocking(monday);
  const block = screen.getByRole('button', { name: 'Block' });
  expect(block.getAttribute('aria-disabled')).toBe('true');
  resolve(Response.json(saved));
  await waitFor(() => expect(block.getAttribute('aria-disabled')).toBeNull());
  expect(world.sent).toEqual([]);
});

test('says that somebody else has changed the hours, and blocks nothing', async () => {
  await open();
  world.schedule = () => problemResponse('changed_meanwhile', 412);
  await openBlocking(monday);
  await screen.findByLabelText('Until');
  await press('Block');
  expect(
    await screen.findByText('Someone else has just changed these hours. Check the calendar, and try again.'),
  ).toBeTruthy();
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('opens blocked time again', async () => {
  await open();
  await userEvent.click(await screen.findByRole('button', { name: /^Blocked, 10:00/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Unblock' }));
  await waitFor(() => expect(world.sent).toHaveLength(1));
  expect(world.sent[0]?.body).toEqual({ version: 'v1', exceptions: [] });
});

test('shows the whole week of a day, from the clinic’s first weekday', async () => {
  const asked: (string | null)[] = [];
  serveAs(grey, (request) => {
    if (request.path === '/doctors/calendar') asked.push(request.query.get('from'));
    return answer(request);
  });
  await open(wednesday);
  await screen.findByRole('button', { name: named('9:00', monday) });
  expect(new Set(asked)).toEqual(new Set([monday]));
});

test('has one stop of the tab key, and says what failed to load', async () => {
  await open();
  await screen.findByRole('button', { name: named('9:00', monday) });
  const stops = [...document.querySelectorAll<HTMLElement>('[data-item]')].filter(({ tabIndex }) => tabIndex === 0);
  expect(stops).toHaveLength(1);
  world.calendar = () => problemResponse('forbidden', 403);
  await press('Next week');
  expect(await screen.findByText('Error loading calendar')).toBeTruthy();
});

test('a move can be undone, as one in the dialog can', async () => {
  await open();
  await moveByKeys();
  await confirmMove();
  await waitFor(() => expect(notifications.get().at(-1)?.action?.label).toBe('Undo'));
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
  await waitFor(() => expect(world.sent).toHaveLength(2));
  const seen = { doctoremail: email, date: tuesday, time: '09:30' };
  expect(world.sent[1]).toEqual({ path: '/appoinments/undone', body: { moves: [{ id: appointment._id, seen }] } });
});

test('blocked time across midnight is drawn on both days, and opened again from either', async () => {
  world.hours = () =>
    Promise.resolve(
      Response.json({ ...saved, exceptions: [{ ...night, kind: 'off', place: '' }, ...saved.exceptions] }),
    );
  await open();
  const stripe = await screen.findByRole('button', { name: `Blocked, 12:00 – 1:30 AM, ${formatDate(wednesday)}` });
  expect(stripe.style.height).toBe('calc(var(--minute) * 90)');
  await userEvent.click(stripe);
  const dialog = within(screen.getByRole('dialog', { name: 'Blocked time' }));
  expect(await dialog.findByText(new RegExp(`^${formatDate(tuesday)}, 10:30 PM – 1:30 AM`))).toBeTruthy();
  await press('Unblock');
  await waitFor(() => expect(world.sent).toHaveLength(1));
  expect(world.sent[0]?.body).toEqual({ version: 'v1', exceptions: saved.exceptions });
});

test('time can be blocked across midnight', async () => {
  await open();
  await openBlocking(tuesday);
  await screen.findByLabelText('From');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '01:30' } });
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '01:00' } });
  await press('Block');
  expect(await screen.findByText('The end must be after the start')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '22:30' } });
  await press('Block');
  await waitFor(() => expect(world.sent).toHaveLength(1));
  expect(world.sent[0]?.body).toMatchObject({
    exceptions: [...saved.exceptions, { kind: 'off', from: '22:30', until: '01:00', place: '' }],
  });
});
