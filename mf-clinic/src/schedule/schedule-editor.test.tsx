import { problemResponse, serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { addDays, clinicMoment, formatDate } from '@clinic/contracts';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import type { Schedule } from '@clinic/svc-clinic/contract/schedule-schemas';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ScheduleEditor } from './schedule-editor.tsx';
import { prepareBrowser } from '../testing/browser.ts';

const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
const stranded = {
  _id: 'a'.repeat(24),
  date: addDays(today, 9),
  time: '15:00',
  patientname: 'Ann Lee',
  doctorname: 'Dr. Grey',
  doctoremail: 'grey@clinic.example',
};
const mondays = (until: string): Schedule['periods'] => [
  { slotMinutes: 30, bufferMinutes: 0, hours: [{ day: 'Monday', from: '09:00', until, place: '' }] },
];

let tests = 0;
let doctor = { _id: '', name: 'Dr. Grey', location: 'Level 3' };
let saved: Schedule;
let world: {
  preview: () => object;
  save: () => Response | Promise<Response>;
  readonly sent: Record<string, unknown>[];
};

function answer({ method, path, body }: PageRequest): Response | Promise<Response> {
  if (path === '/doctors/holidays') return Response.json([]);
  if (path.endsWith('/schedule/preview')) {
    const shown = world.preview();
    return shown instanceof Response ? shown : Response.json(shown);
  }
  if (!path.endsWith('/schedule')) throw new Error(`The test has no answer for ${path}`);
  if (method !== 'PATCH') return Response.json(saved);
  world.sent.push(body as Record<string, unknown>);
  return world.save();
}

prepareBrowser();
beforeEach(async () => {
  // Drafts live as long as the page: each test has a doctor of its own.
  tests += 1;
  doctor = { ...doctor, _id: String(tests).padStart(24, '0') };
  saved = {
    version: 'v1',
    takesAppointments: true,
    periods: mondays('17:00'),
    daysOff: [],
    exceptions: [],
  };
  world = {
    preview: () => ({ errors: [], days: [], outside: [] }),
    save: () => Response.json({ schedule: { ...saved, version: 'v2' }, outside: [] }),
    sent: [],
  };
  serveAs(undefined, answer);
  await renderRoutes([{ path: '/', element: <ScheduleEditor own doctor={doctor} /> }], '/');
});

const button = (name: string) => screen.getByRole('button', { name });
const until = () => screen.findByLabelText('Monday, until');

test('sends only the part that was edited, with the version it started from', async () => {
  expect((await screen.findByRole('button', { name: 'Save my hours' })).getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(await until(), { target: { value: '12:00' } });
  expect(screen.getByText('Not saved yet.')).toBeTruthy();
  await userEvent.click(button('Save my hours'));
  await waitFor(() => expect(screen.queryByText('Not saved yet.')).toBeNull());
  expect(world.sent).toEqual([{ version: 'v1', periods: mondays('12:00') }]);
});

test('says that the hours could not be checked, and checks them again on request', async () => {
  await screen.findByText('What patients can book');
  const works = world.preview;
  world.preview = () => problemResponse('forbidden', 403);
  fireEvent.change(await until(), { target: { value: '12:00' } });
  expect(await screen.findByText('Error checking these hours')).toBeTruthy();
  world.preview = works;
  await userEvent.click(button('Retry'));
  expect(await screen.findByText('What patients can book')).toBeTruthy();
});

test('tells the hours of a day apart by name', async () => {
  await until();
  // One is shown on phones, the other elsewhere.
  await userEvent.click(screen.getAllByRole('button', { name: 'Add hours on Monday' })[0] as HTMLElement);
  expect(screen.getAllByLabelText(/^Monday, until/).map((one) => one.getAttribute('aria-label'))).toEqual([
    'Monday, until (1 of 2)',
    'Monday, until (2 of 2)',
  ]);
  const named = screen.getAllByRole('button', { name: /^(Remove|Place of) these hours/ });
  expect(new Set(named.map((one) => one.getAttribute('aria-label'))).size).toBe(4);
});

test('keeps what is edited while it saves', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  world.save = () => promise;
  fireEvent.change(await until(), { target: { value: '12:00' } });
  await userEvent.click(button('Save my hours'));
  fireEvent.change(await until(), { target: { value: '13:00' } });
  saved = { ...saved, version: 'v2' };
  resolve(Response.json({ schedule: saved, outside: [] }));
  world.save = () => Response.json({ schedule: { ...saved, version: 'v3' }, outside: [] });
  await waitFor(() => expect(button('Save my hours').getAttribute('aria-busy')).not.toBe('true'));
  await userEvent.click(button('Save my hours'));
  await waitFor(() => expect(screen.queryByText('Not saved yet.')).toBeNull());
  expect(world.sent).toEqual([
    { version: 'v1', periods: mondays('12:00') },
    { version: 'v2', periods: mondays('13:00') },
  ]);
});

test('names who is booked outside the hours before anything is saved', async () => {
  world.preview = () => ({ errors: [], days: [], outside: [stranded] });
  fireEvent.change(await until(), { target: { value: '12:00' } });
  expect(await screen.findByText('1 appointment is booked outside these hours')).toBeTruthy();
  expect(screen.getByText(`Ann Lee, ${formatDate(stranded.date)} at 3:00 PM`)).toBeTruthy();
  expect(world.sent).toEqual([]);
});

test('says that more are booked than the service names', async () => {
  const outside = Array.from({ length: scheduleLimits.outside }, (_, index) => ({ ...stranded, _id: String(index) }));
  world.preview = () => ({ errors: [], days: [], outside });
  fireEvent.change(await until(), { target: { value: '12:00' } });
  expect(await screen.findByText('At least 200 appointments are booked outside these hours')).toBeTruthy();
});

test('says what of a promise no longer fits, and that nobody is told', async () => {
  const longer = {
    ...stranded,
    why: ['length' as const, 'place' as const],
    promised: { minutes: 60, place: 'Level 3' },
    now: { minutes: 30, place: 'Branch' },
  };
  world.preview = () => ({ errors: [], days: [], outside: [longer] });
  fireEvent.change(await until(), { target: { value: '12:00' } });
  expect(await screen.findByText('Promised 60 minutes; now 30. Promised at Level 3; now at Branch.')).toBeTruthy();
  expect(screen.getByText(/They stay booked as promised, .* nobody is told anything/)).toBeTruthy();
});

test('shows a fault at its hours, and doesn’t send them', async () => {
  world.preview = () => ({
    errors: [{ field: 'periods.0.hours.0', message: 'The end must be after the start' }],
    days: [],
    outside: [],
  });
  fireEvent.change(await until(), { target: { value: '08:00' } });
  expect(await screen.findByText('The end must be after the start')).toBeTruthy();
  expect(button('Save my hours').getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Fix the errors above first.')).toBeTruthy();
});

test('shows at its field a value that no schedule can have, and doesn’t send it', async () => {
  const errors = [{ field: 'periods.0.bufferMinutes', message: 'It must be at least 0 minutes' }];
  world.preview = () => problemResponse('validation_failed', 400, { errors });
  fireEvent.change(await screen.findByLabelText('Minutes between'), { target: { value: '-5' } });
  expect(await screen.findByText('It must be at least 0 minutes')).toBeTruthy();
  expect(button('Save my hours').getAttribute('aria-disabled')).toBe('true');
});

test('keeps the edits if somebody else has changed the hours, until the reader asks for theirs', async () => {
  world.save = () => problemResponse('changed_meanwhile', 412);
  fireEvent.change(await until(), { target: { value: '12:00' } });
  await userEvent.click(button('Save my hours'));
  expect(await screen.findByText('Someone else has changed these hours')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Monday, until').value).toBe('12:00');
  saved = { ...saved, version: 'v2', periods: mondays('16:00') };
  await userEvent.click(button('Show their hours'));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Monday, until').value).toBe('16:00'));
});

test('discards edits, and takes no appointments when the switch is off', async () => {
  const form = await screen.findByRole('form', { name: 'My hours' });
  const takes = within(form).getByRole('switch', { name: 'I take appointments' });
  await userEvent.click(takes);
  await userEvent.click(button('Discard'));
  expect(screen.queryByText('Not saved yet.')).toBeNull();
  await userEvent.click(within(form).getByRole('switch', { name: 'I take appointments' }));
  await userEvent.click(button('Save my hours'));
  await waitFor(() => expect(world.sent).toEqual([{ version: 'v1', takesAppointments: false }]));
});
