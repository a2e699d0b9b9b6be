import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemResponse, serveAs, type PageRequest, type SignedIn } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { formatDate } from '@clinic/contracts';
import type { CalendarAppointment, CalendarDoctor, PlannedMove } from '@clinic/svc-clinic/contract/calendar-calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import '../setup.ts';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, doctor, grey, nadia } from '../testing/records.ts';
import { MoveDay } from './move-day.tsx';

prepareBrowser();

const date = '2100-01-05';
const house = { ...doctor, _id: 'e'.repeat(24), id: 'e'.repeat(24), name: 'Dr. House', email: 'house@clinic.example' };
const visit = (letter: string, patientname: string, time: string): CalendarAppointment => ({
  ...appointment({
    _id: letter.repeat(24),
    patientname,
    time,
    date,
    minutes: 30,
    place: 'Level 3',
    status: 'Confirmed',
  }),
  you: [],
  ends: '23:00',
  outside: false,
});
const visits = [visit('1', 'Ann', '09:00'), visit('2', 'Ben', '10:00')];
const day = { date, hours: [], off: [], slots: [] };
const own: CalendarDoctor = { ...doctor, anyTime: false, days: [day] };
const to = { doctoremail: house.email, doctorname: house.name, date, time: '09:00', minutes: 20, place: 'Branch' };

let plans: unknown[];
let sent: { readonly path: string; readonly body: unknown }[];
/** What was sent to close or open the day, with how many moves had gone before it. */
let closings: unknown[];
let answerToClosing: () => Response | Promise<Response>;
let plan: PlannedMove[];
let answer: (path: string) => Response;
/** None: they can’t be loaded. */
let colleagues: (typeof house)[] | undefined;

beforeEach(() => {
  plans = [];
  sent = [];
  closings = [];
  answerToClosing = () => Response.json({ changed: true });
  colleagues = [house];
  act(() => notifications.set([]));
  plan = [
    { _id: visits[0]?._id ?? '', to },
    { _id: visits[1]?._id ?? '', conflict: 'Dr. House: Someone else has this time' },
  ];
  answer = () => Response.json({ ...visits[0], ...to });
});

async function open(who: SignedIn): Promise<void> {
  serveAs(who, ({ path, body }: PageRequest) => {
    if (path === '/doctors')
      return colleagues ? Response.json([doctor, ...colleagues]) : problemResponse('internal', 500);
    if (path === '/appoinments/day/times') {
      plans.push(body);
      return Response.json(plan);
    }
    if (path === `/doctors/${doctor._id}/day`) {
      closings.push([sent.length, body]);
      return answerToClosing();
    }
    sent.push({ path, body });
    return answer(path);
  });
  await session.load();
  const column = {
    key: 'one',
    doctor: own,
    day,
    appointments: visits.map((one) => ({ ...one, you: who === grey ? ['doctor' as const] : [] })),
  };
  const now = { date: '2100-01-04', time: '08:00' };
  function Page() {
    const [shown, setShown] = useState(true);
    return shown && <MoveDay column={column} now={now} onClose={() => setShown(false)} />;
  }
  await renderRoutes([{ path: '*', Component: Page }], '/');
}
const closed = `${doctor.name}, ${formatDate(date)}`;
const items = async () =>
  (await within(await screen.findByRole('list', { name: 'What happens' })).findAllByRole('listitem')).map(
    ({ textContent }) => textContent,
  );

test('colleagues that couldn’t be loaded aren’t none: says so, and loads them with Retry', async () => {
  colleagues = undefined;
  await open(nadia);
  expect(await screen.findByText('Error loading colleagues')).toBeTruthy();
  expect(screen.queryByRole('option', { name: 'Any colleague (Cardiologist)' })).toBeNull();
  colleagues = [house];
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('option', { name: 'Any colleague (Cardiologist)' })).toBeTruthy();
});

test('a reason of more than one sentence ends like the others', async () => {
  plan = [{ _id: visits[0]?._id ?? '', conflict: 'This appointment is Cancelled. Book a new one.' }];
  await open(nadia);
  expect((await items())[0]).toBe('9:00 AM Ann, staysThis appointment is Cancelled. Book a new one.');
});

test('says who goes where and what they are told, moves those who fit, names the others, and takes it back', async () => {
  await open(nadia);
  expect(await items()).toEqual([
    '9:00 AM AnnThe patient gets a message: with Dr. House instead of Dr. Grey, at Branch instead of Level 3, for 20 minutes instead of 30 minutes.',
    '10:00 AM Ben, staysDr. House: Someone else has this time.',
  ]);
  expect(plans).toEqual([{ appointments: visits.map(({ _id }) => _id), colleagues: [house.email] }]);
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Move 1 appointment' }));
  await waitFor(() =>
    expect(shownNotifications()).toEqual([`${closed}: closed to new bookings`, '1 appointment is moved']),
  );
  expect(closings).toEqual([[0, { date, closed: true }]]);
  const seen = { doctoremail: doctor.email, date, time: '09:00' };
  expect(sent).toEqual([
    {
      path: `/appoinments/${visits[0]?._id}/doctor`,
      body: { date, time: '09:00', seen, doctoremail: house.email, patientChoice: 'not asked' },
    },
  ]);
  await act(async () => notifications.get()[1]?.action?.run());
  expect(sent.at(-1)).toEqual({
    path: '/appoinments/undone',
    body: { moves: [{ id: visits[0]?._id, seen: { ...seen, doctoremail: house.email } }] },
  });
});

test('the day is closed before anybody is moved, if it can’t be nobody is, and it can be opened again', async () => {
  answerToClosing = () => problemResponse('unavailable', 503, { detail: 'Try again later.' });
  await open(nadia);
  await items();
  await userEvent.click(screen.getByRole('button', { name: 'Move 1 appointment' }));
  await waitFor(() =>
    expect(shownNotifications()).toEqual([
      `${closed}: we couldn’t confirm that it is closed: No appointment was changed. Try again later.`,
    ]),
  );
  expect(sent).toEqual([]);
  // The first one had closed it, only its answer was lost.
  answerToClosing = () => Response.json({ changed: false });
  await userEvent.click(screen.getByRole('button', { name: 'Move 1 appointment' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await act(async () =>
    notifications
      .get()
      .find(({ action }) => action?.label === 'Open again')
      ?.action?.run(),
  );
  expect(closings.at(-1)).toEqual([1, { date, closed: false }]);
  expect(shownNotifications()).toContain(`${closed}: open to bookings again`);
});

test('a second press while the day is being closed moves nobody twice, and who leaves then moves nobody', async () => {
  let finish: (response: Response) => void = () => undefined;
  const hanging = () => {
    answerToClosing = () => new Promise((resolve) => (finish = resolve));
  };
  hanging();
  await open(nadia);
  await items();
  const button = screen.getByRole('button', { name: 'Move 1 appointment' });
  await userEvent.click(button);
  await waitFor(() => expect(closings).toHaveLength(1));
  expect(button.getAttribute('aria-busy')).toBe('true');
  await userEvent.click(button);
  expect(closings).toHaveLength(1);
  finish(problemResponse('unavailable', 503));
  await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'));
  hanging();
  await userEvent.click(button);
  await waitFor(() => expect(closings).toHaveLength(2));
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.queryByRole('dialog')).toBeNull();
  finish(Response.json({ changed: true }));
  await waitFor(() => expect(shownNotifications()).toContain(`${closed}: closed to new bookings`));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(sent).toEqual([]);
});

test('the day stays open if that is wanted, and is closed only before the time until which it is moved', async () => {
  await open(nadia);
  await items();
  await userEvent.selectOptions(screen.getByLabelText('Where to'), 'Later on this day with Dr. Grey');
  await userEvent.type(screen.getByLabelText('Not before'), '13:00');
  await items();
  await userEvent.click(screen.getByRole('button', { name: 'Move 1 appointment' }));
  await waitFor(() => expect(shownNotifications()).toContain('1 appointment is moved'));
  expect(sent).toHaveLength(1);
  expect(closings).toEqual([[0, { date, closed: true, until: '13:00' }]]);
  expect(plans.at(-1)).not.toHaveProperty('staysOpen');
  await userEvent.click(screen.getByRole('checkbox', { name: /^First close/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Move 1 appointment' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(closings).toHaveLength(1);
  // The times of the day itself stay free.
  expect(plans.at(-1)).toMatchObject({ from: '13:00', staysOpen: true });
});

test('each of many colleagues can be chosen, also where only some can be asked at once', async () => {
  colleagues = Array.from({ length: 30 }, (_, index) => ({ ...house, email: `house${index}@clinic.example` }));
  await open(nadia);
  await items();
  expect(plans[0]).toMatchObject({ colleagues: colleagues.slice(0, 24).map(({ email }) => email) });
  const where = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Where to' });
  expect(where.options).toHaveLength(1 + 30 + 2);
  expect(where.options[0]?.text).toBe('Any of the first 24 colleagues (Cardiologist)');
});

test('what can’t be moved or taken back is named', async () => {
  const other = { ...to, time: '10:00' };
  plan = [
    { _id: visits[0]?._id ?? '', to },
    { _id: visits[1]?._id ?? '', to: other },
  ];
  answer = (path) =>
    path.includes('2'.repeat(24))
      ? problemResponse('slot_taken', 409, { detail: 'Choose another time.' })
      : path === '/appoinments/undone'
        ? problemResponse('slot_taken', 409, { detail: 'Somebody else has the old time by now.' })
        : Response.json({ ...visits[0], ...to });
  await open(nadia);
  await items();
  await userEvent.click(screen.getByRole('button', { name: 'Move 2 appointments' }));
  await waitFor(() => expect(shownNotifications()).toContain('1 appointment is not moved: Choose another time.'));
  expect(shownNotifications()).toContain('1 appointment is moved');
  expect(screen.getAllByText(/Choose another time\./).length).toBeGreaterThan(0);
  await act(async () =>
    notifications
      .get()
      .find(({ action }) => action?.label === 'Undo')
      ?.action?.run(),
  );
  const failed = notifications.get().find(({ text }) => text === '1 appointment is not back');
  expect(failed?.detail).toMatch(/^Ann: .*Somebody else has the old time by now\./);
});

test('of a move or its undoing whose answer was lost it is said that nobody knows', async () => {
  plan = visits.map(({ _id, time }) => ({ _id, to: { ...to, time } }));
  answer = (path) => {
    if (path.includes('1'.repeat(24))) return Response.json({ ...visits[0], ...to });
    throw new TypeError('The connection was lost');
  };
  await open(nadia);
  await items();
  await userEvent.click(screen.getByRole('button', { name: 'Move 2 appointments' }));
  const lost = () => shownNotifications().filter((text) => text.startsWith('We couldn’t confirm 1 appointment:'));
  await waitFor(() => expect(lost()).toHaveLength(1));
  await act(async () =>
    notifications
      .get()
      .find(({ action }) => action?.label === 'Undo')
      ?.action?.run(),
  );
  await waitFor(() => expect(lost().at(-1)).toContain('Ann: We couldn’t connect.'));
  expect(sent.filter(({ path }) => path === '/appoinments/undone')).toHaveLength(1);
});

test('a doctor moves to another day or to later; handing over is for the desk', async () => {
  const next = '2100-01-06';
  plan = visits.map(({ _id, time }) => ({
    _id,
    to: { ...to, doctoremail: doctor.email, doctorname: doctor.name, date: next, time },
  }));
  await open(grey);
  await items();
  expect(within(screen.getByLabelText('Where to')).getAllByRole('option')).toHaveLength(2);
  expect(plans.at(-1)).toEqual({ appointments: visits.map(({ _id }) => _id), date: next });
  await userEvent.click(screen.getByRole('checkbox', { name: /^Another time/ }));
  await waitFor(() => expect(plans.at(-1)).toMatchObject({ date: next, otherTimes: true }));
  expect((await items())[0]).toContain(`${formatDate(next)} at 9:00 AM`);
  await userEvent.selectOptions(screen.getByLabelText('Where to'), 'Later on this day with Dr. Grey');
  await userEvent.type(screen.getByLabelText('Not before'), '13:00');
  await waitFor(() => expect(plans.at(-1)).toMatchObject({ from: '13:00', otherTimes: true }));
});
