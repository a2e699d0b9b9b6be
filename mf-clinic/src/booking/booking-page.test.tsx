import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { addDays, clinicMoment, formatDate, type Doctor } from '@clinic/contracts';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import { BookingPage } from './booking-page.tsx';

// A busy machine is slower than the library's default time limit.
jest.setTimeout(30_000);
configure({ asyncUtilTimeout: 5_000 });

const day = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 2);
let doctor: Doctor = {
  _id: '',
  id: '',
  name: 'Dr. Grey',
  email: 'grey@clinic.example',
  qualification: 'MD',
  education: 'Dartmouth',
  specialization: 'Cardiologist',
  specialty: 'Cardiologist',
  experience: 9,
  location: 'Level 3',
  image: '',
  isAvailable: true,
  availableTimes: ['09:00', '09:30', '10:00'],
  rating: 4.5,
  nextFree: null,
  daysOff: [],
};
const user = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: true };

/** What the services know about the person before they book. */
let known: { readonly account: object; readonly appointments: readonly object[]; readonly orders: readonly object[] };

interface Sent {
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

/** Replaces the gateway: responds like the services, and keeps the bookings it receives. */
function serve(answerBooking: () => Response): Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    if (pathname.startsWith('/users/'))
      return Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '', ...known.account });
    if (pathname === '/doctors') return Response.json(doctor);
    if (pathname.endsWith('/free-times'))
      return Response.json({
        date: searchParams.get('date'),
        times: doctor.availableTimes,
        anyTime: false,
        timeZone: 'Asia/Dhaka',
      });
    if (pathname.endsWith('/free-days'))
      return Response.json({ days: [{ date: day, free: 3 }], anyTime: false, timeZone: 'Asia/Dhaka' });
    if (pathname === '/orderMedi') return Response.json(known.orders);
    if (pathname === '/appoinments' && init?.method !== 'POST') return Response.json(known.appointments);
    if (pathname === '/appoinments' && init) {
      sent.push({
        key: new Headers(init.headers).get('idempotency-key'),
        body: (await new Response(init.body).json()) as Record<string, unknown>,
      });
      return answerBooking();
    }
    throw new Error(`The test has no answer for ${pathname}`);
  };
  return sent;
}

async function open(search = '', heading?: string): Promise<void> {
  document.cookie = 'signed_in=1';
  await session.load();
  const routes = [
    { path: '/appoinment/:_id', Component: BookingPage },
    { path: '/dash/doctorAppoinments', element: <p>the record</p> },
  ] as RouteObject[];
  const router = createMemoryRouter(routes, { initialEntries: [`/appoinment/${doctor._id}${search}`] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await (heading
    ? screen.findByRole('heading', { name: heading })
    : screen.findByRole('button', { name: 'Book Appointment' }));
}

async function fill(): Promise<void> {
  await userEvent.type(screen.getByLabelText(/^Age/), '34');
  await userEvent.type(screen.getByLabelText(/^Phone number/), '+880 1555 010999');
  await userEvent.type(screen.getByLabelText(/^Address/), '5 Lake Road');
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:30 AM' }));
}

const book = () => screen.getByRole('button', { name: 'Book Appointment' });
const problem = (code: string, status: number, more: object) =>
  Response.json(
    { type: `/problems/${code}`, title: 'Someone else has just booked this time', status, code, ...more },
    { status },
  );

beforeAll(() => {
  // Node's channel to other tabs would keep the test process alive.
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  const config = document.createElement('script');
  config.id = 'config';
  config.type = 'application/json';
  config.textContent = JSON.stringify({ demoMode: true, emulator: true, firebase: {}, clinicTimeZone: 'Asia/Dhaka' });
  document.head.append(config);
});
let tests = 0;
beforeEach(() => {
  known = { account: {}, appointments: [], orders: [] };
  queryClient.clear();
  // Drafts live as long as the page: each doctor has a form of their own.
  tests += 1;
  doctor = { ...doctor, _id: String(tests).padStart(24, '0') };
  // Rejected calls are logged for developers; here they are expected.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

test('shows missing fields in the specified words, and fills in the signed-in person', async () => {
  const sent = serve(() => Response.json({}));
  await open();
  expect(screen.getByLabelText<HTMLInputElement>(/^Patient name/).value).toBe('Ann Lee');
  expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe('ann@mail.example');
  await userEvent.clear(screen.getByLabelText(/^Patient name/));
  await userEvent.click(book());
  for (const message of [
    'Patient name is required',
    'Age is required',
    'Phone number is required',
    'Address is required',
    'Date is required',
    'Time is required',
  ]) {
    expect(await screen.findByText(message)).toBeTruthy();
  }
  await userEvent.type(screen.getByLabelText(/^Age/), '0');
  expect(await screen.findByText('Age must be positive')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('books once however often the button is pressed, and goes to the record', async () => {
  const sent = serve(() => Response.json({ _id: 'c'.repeat(24), status: 'Pending' }, { status: 201 }));
  await open();
  await fill();
  fireEvent.click(book());
  fireEvent.click(book());
  await screen.findByText('the record');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.key).toBeTruthy();
  expect(sent[0]?.body).toEqual({
    patientname: 'Ann Lee',
    patientemail: 'ann@mail.example',
    age: 34,
    number: '+880 1555 010999',
    address: '5 Lake Road',
    date: day,
    time: '09:30',
    doctorname: 'Dr. Grey',
    doctoremail: 'grey@clinic.example',
    status: 'Pending',
  });
});

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);

test('fills in what registration and earlier appointments know, and the slot of the link', async () => {
  const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
  known = {
    account: { phone: '+880 1555 333', dateOfBirth: `${Number(today.slice(0, 4)) - 36}${today.slice(4)}` },
    appointments: [
      { _id: '1', patientname: 'Mia Lee', patientemail: user.email, age: 4, address: '1 Hill', number: '1' },
      { _id: '2', patientname: 'Ann Lee', patientemail: user.email, age: 35, address: '5 Lake Road', number: '2' },
    ],
    orders: [],
  };
  const sent = serve(() => Response.json({ _id: 'c'.repeat(24), status: 'Pending' }, { status: 201 }));
  await open(`?date=${day}&time=09:30`);
  await waitFor(() => expect(field(/^Address/).value).toBe('5 Lake Road'));
  expect([field(/^Age/).value, field(/^Phone number/).value, field(/^Date/).value]).toEqual([
    '36',
    '+880 1555 333',
    day,
  ]);
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: '9:30 AM' })).checked).toBe(true);
  await userEvent.type(screen.getByLabelText(/^Reason/), ' Sore throat ');
  await userEvent.click(book());
  await screen.findByText('the record');
  expect(sent[0]?.body).toEqual({
    patientname: 'Ann Lee',
    patientemail: 'ann@mail.example',
    age: 36,
    number: '+880 1555 333',
    address: '5 Lake Road',
    reason: 'Sore throat',
    date: day,
    time: '09:30',
    doctorname: 'Dr. Grey',
    doctoremail: 'grey@clinic.example',
    status: 'Pending',
  });
});

test('takes what is still missing from the last order, and leaves the age of somebody else to be typed', async () => {
  known = {
    account: { dateOfBirth: '1990-01-01' },
    appointments: [],
    orders: [{ customerPhone: '+880 1555 444', deliveryAddress: '7 Rose Garden\nDhaka' }],
  };
  serve(() => Response.json({}));
  await open();
  await waitFor(() => expect(field(/^Address/).value).toBe('7 Rose Garden, Dhaka'));
  expect(field(/^Phone number/).value).toBe('+880 1555 444');
  expect(Number(field(/^Age/).value)).toBeGreaterThan(30);
  await userEvent.clear(field(/^Patient name/));
  await userEvent.type(field(/^Patient name/), 'Mia Lee');
  expect(field(/^Age/).value).toBe('');
  await userEvent.type(field(/^Age/), '4');
  await userEvent.clear(field(/^Patient name/));
  await userEvent.type(field(/^Patient name/), 'Ann Lee');
  expect(field(/^Age/).value).toBe('4');
});

test('ignores a slot in the address that is none, and drops one that is taken', async () => {
  serve(() => Response.json({}));
  await open(`?date=${day}&time=09:45`);
  await screen.findByRole('radio', { name: '9:30 AM' });
  expect(screen.getAllByRole<HTMLInputElement>('radio').some(({ checked }) => checked)).toBe(false);
  cleanup();
  doctor = { ...doctor, _id: 'd'.repeat(24) };
  await open('?date=tomorrow&time=soon');
  expect(field(/^Date/).value).toBe('');
});

test('shows colleagues of the specialty in place of a doctor who isn’t available', async () => {
  const colleague = {
    ...doctor,
    _id: 'e'.repeat(24),
    name: 'Dr. House',
    nextFree: { date: day, time: '10:00' },
  };
  serve(() => Response.json({}));
  const server = globalThis.fetch;
  const asked: string[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname !== '/doctors' || !searchParams.has('specialty')) return server(input, init);
    asked.push(searchParams.toString());
    return Response.json([{ ...doctor, nextFree: null }, colleague]);
  };
  doctor = { ...doctor, isAvailable: false };
  await open('', 'Dr. Grey isn’t taking new appointments');
  const link = await screen.findByRole('link', { name: /book with Dr. House$/ });
  expect(link.getAttribute('href')).toBe(`/appoinment/${colleague._id}?date=${day}&time=10:00`);
  expect(screen.queryByRole('button', { name: 'Book Appointment' })).toBeNull();
  expect(asked).toEqual(['specialty=Cardiologist&sort=soonest&limit=4']);
  doctor = { ...doctor, isAvailable: true };
});

test('offers the other free times if a time is taken, and keeps what was typed', async () => {
  const sent = serve(() => problem('slot_taken', 409, { detail: 'Choose another time.', freeTimes: ['10:00'] }));
  await open();
  await fill();
  await userEvent.click(book());
  expect(await screen.findByText('failed to book')).toBeTruthy();
  expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'))).toEqual(['10:00 AM']);
  expect(screen.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('5 Lake Road');
  await userEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
  await userEvent.click(book());
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body['time']).toBe('10:00');
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('retries with the same key after a lost response', async () => {
  let answers = 0;
  const sent = serve(() => {
    answers += 1;
    if (answers === 1) throw new TypeError('connection reset');
    return Response.json({ _id: 'c'.repeat(24) }, { status: 201 });
  });
  await open();
  await fill();
  await userEvent.click(book());
  expect(await screen.findByText('failed to book')).toBeTruthy();
  await userEvent.click(book());
  await screen.findByText('the record');
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test('shows the server’s field errors at the field', async () => {
  serve(() =>
    problem('validation_failed', 400, {
      errors: [{ field: 'address', message: 'Address must be 200 characters or fewer' }],
    }),
  );
  await open();
  await fill();
  await userEvent.click(book());
  expect(await screen.findByText('Address must be 200 characters or fewer')).toBeTruthy();
  expect(screen.getByLabelText(/^Address/).getAttribute('aria-invalid')).toBe('true');
});

test('restores what was typed after a detour to the login page', async () => {
  serve(() => Response.json({}));
  await open();
  await userEvent.clear(screen.getByLabelText(/^Address/));
  await userEvent.type(screen.getByLabelText(/^Address/), '7 Rose Garden');
  cleanup();
  await open();
  expect(screen.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('7 Rose Garden');
});

test('offers the earliest free slot in one press', async () => {
  doctor = { ...doctor, nextFree: { date: day, time: '09:30' } };
  serve(() => Response.json({}));
  await open();
  await userEvent.click(screen.getByRole('button', { name: /^Earliest: .* at 9:30 AM$/ }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Date/).value).toBe(day);
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: '9:30 AM' })).checked).toBe(true);
});

test('clears the time when another day is chosen', async () => {
  serve(() => Response.json({}));
  await open();
  await fill();
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: '' } });
  expect(screen.queryAllByRole('radio')).toEqual([]);
  await userEvent.click(book());
  expect(await screen.findByText('Time is required')).toBeTruthy();
});

test('drops yesterday’s slots on a page left open over midnight at the clinic', async () => {
  jest.useFakeTimers({
    now: new Date('2026-11-30T17:59:50Z'),
    // Only the date is fixed; the page continues to load.
    doNotFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
      'queueMicrotask',
      'nextTick',
      'performance',
      'hrtime',
      'requestAnimationFrame',
      'cancelAnimationFrame',
      'requestIdleCallback',
      'cancelIdleCallback',
    ],
  });
  doctor = { ...doctor, nextFree: { date: '2026-11-30', time: '23:59' } };
  const sent = serve(() => Response.json({}));
  await open();
  const earliest = () => screen.queryByRole('button', { name: /^Earliest/ });
  const date = () => screen.getByLabelText<HTMLInputElement>(/^Date/);
  expect([earliest()?.textContent, date().min]).toEqual(['Earliest: Mon, Nov 30, 2026 at 11:59 PM', '2026-11-30']);
  fireEvent.change(date(), { target: { value: '2026-11-30' } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:30 AM' }));
  jest.setSystemTime(new Date('2026-11-30T18:00:00Z'));
  fireEvent.focus(window);
  await waitFor(() => expect(date().min).toBe('2026-12-01'));
  expect([earliest(), screen.queryByRole('radio', { name: '9:30 AM' })]).toEqual([null, null]);
  // The calendar has moved to the new month.
  expect(await screen.findByText('December 2026')).toBeTruthy();
  await userEvent.click(book());
  expect(await screen.findByText('Date is in the past')).toBeTruthy();
  expect(sent).toEqual([]);
  doctor = { ...doctor, nextFree: null };
});

test('rejects a day after the last bookable one before sending anything, and the calendar doesn’t offer it', async () => {
  const until = addDays(day, 1);
  doctor = { ...doctor, bookableUntil: until };
  const sent = serve(() => Response.json({}));
  await open();
  await fill();
  expect(screen.getByText(`You can book until ${formatDate(until)}.`)).toBeTruthy();
  const date = screen.getByLabelText<HTMLInputElement>(/^Date/);
  expect(date.max).toBe(until);
  fireEvent.change(date, { target: { value: addDays(until, 1) } });
  await userEvent.click(book());
  expect(await screen.findByText(`You can book until ${formatDate(until)}`)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(date, { target: { value: until } });
  await waitFor(() => expect(screen.queryByText(`You can book until ${formatDate(until)}`)).toBeNull());
  const grid = within(await screen.findByRole('grid', { name: 'Days' }));
  const dayButton = (of: string) =>
    grid.queryByRole<HTMLButtonElement>('button', { name: new RegExp(`^${formatDate(of)}`) });
  expect(dayButton(until)?.disabled).toBe(false);
  // The month after the last day can't be opened; within its month the next day can't be pressed.
  expect(dayButton(addDays(until, 1))?.disabled ?? true).toBe(true);
});

describe('another appointment at the same time', () => {
  const sameTime = { others: [{ doctorname: 'Dr. House', date: day, time: '09:20' }], canConfirm: true };
  const rejected = (canConfirm = true) => {
    const detail = 'You already have another appointment at this time.';
    return Response.json(
      {
        type: '/problems/too_many_appointments',
        title: 'Too many upcoming appointments',
        status: 409,
        code: 'too_many_appointments',
        detail,
        errors: [{ field: 'time', message: detail }],
        sameTime: { ...sameTime, canConfirm },
      },
      { status: 409 },
    );
  };
  const booked = () => Response.json({ _id: 'c'.repeat(24), status: 'Pending' }, { status: 201 });
  // jsdom's dialog element lacks its methods.
  beforeAll(() => {
    HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true;
    };
    HTMLDialogElement.prototype.close = function close() {
      this.open = false;
    };
  });

  test('needs confirmation, and is then booked beside the other one', async () => {
    const answers = [rejected(), booked()];
    const sent = serve(() => answers.shift() ?? Response.error());
    await open();
    await fill();
    await userEvent.click(book());
    const dialog = await screen.findByRole('alertdialog', { name: 'Two appointments at the same time?' });
    expect(within(dialog).getByText(`Dr. House, ${formatDate(day)} at 9:20 AM`)).toBeTruthy();
    expect(screen.queryByText('failed to book')).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Keep both' }));
    await screen.findByText('the record');
    expect(sent.map(({ body }) => body['alsoThen'])).toEqual([undefined, true]);
    expect(sent[1]?.body).toEqual({ ...sent[0]?.body, alsoThen: true });
    // Another body with the same key would be rejected.
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  test('sends nothing if another time is to be chosen, and keeps what was typed', async () => {
    const sent = serve(() => rejected());
    await open();
    await fill();
    await userEvent.click(book());
    await userEvent.click(await screen.findByRole('button', { name: 'Choose another time' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByText('Choose another time')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('5 Lake Road');
    expect(sent).toHaveLength(1);
  });

  test('needs no confirmation if it isn’t allowed: the form says why', async () => {
    serve(() => rejected(false));
    await open();
    await fill();
    await userEvent.click(book());
    expect(await screen.findByText('failed to book')).toBeTruthy();
    expect(screen.getAllByText('You already have another appointment at this time.')).toHaveLength(2);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
