import { clinicMoment } from '@clinic/contracts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { day, serve, open, fill, book, booked, world, field, setUpBooking } from '../testing/booking.tsx';
import { ann } from '../testing/records.ts';

setUpBooking();

/** What `fill` books. */
const body = {
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
};

test('shows missing fields in the specified words, and fills in the signed-in person', async () => {
  const sent = serve(() => Response.json({}));
  await open();
  expect(field(/^Patient name/).value).toBe('Ann Lee');
  expect(field(/^Email/).value).toBe('ann@mail.example');
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
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  await userEvent.type(screen.getByLabelText(/^Age/), '0');
  expect(await screen.findByText('Age must be positive')).toBeTruthy();
  await userEvent.type(screen.getByLabelText(/^Age/), '151');
  expect(await screen.findByText('Age must be 150 or under')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('begins below the brand: as wide as the top bar, and as far from the edge', async () => {
  serve(() => Response.json({}));
  await open();
  const frame = screen.getByRole('heading', { level: 1 }).closest('.mx-auto');
  expect(frame?.className.split(' ').filter((name) => /^max-w-|px-/.test(name))).toEqual([
    'max-w-page',
    'px-4',
    'sm:px-6',
  ]);
});

test('only the email address is locked, and says why', async () => {
  serve(() => Response.json({}));
  await open();
  const locked = screen.getAllByRole<HTMLInputElement>('textbox').filter((one) => one.readOnly);
  expect(locked).toEqual([field(/^Email/)]);
  const hint = document.getElementById(locked[0]?.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toBe('Your account’s email address.');
});

test('books once however often the button is pressed, and goes to the record', async () => {
  const sent = serve(booked);
  await open();
  await fill();
  fireEvent.click(book());
  fireEvent.click(book());
  await screen.findByText('the record');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.key).toBeTruthy();
  expect(sent[0]?.body).toEqual(body);
});

test('fills in what registration and earlier appointments know, and the slot of the link', async () => {
  const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
  world.known = {
    account: { phone: '+880 1555 333', dateOfBirth: `${Number(today.slice(0, 4)) - 36}${today.slice(4)}` },
    appointments: [
      { _id: '1', patientname: 'Mia Lee', patientemail: ann.email, age: 4, address: '1 Hill', number: '1' },
      { _id: '2', patientname: 'Ann Lee', patientemail: ann.email, age: 35, address: '5 Lake Road', number: '2' },
    ],
    orders: [],
  };
  const sent = serve(booked);
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
  expect(sent[0]?.body).toEqual({ ...body, age: 36, number: '+880 1555 333', reason: 'Sore throat' });
});

test('takes what is still missing from the last order, and leaves the age of somebody else to be typed', async () => {
  world.known = {
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

test('shows colleagues of the specialty in place of a doctor who isn’t available', async () => {
  const colleague = {
    ...world.doctor,
    _id: 'e'.repeat(24),
    name: 'Dr. House',
    nextFree: { date: day, time: '10:00' },
  };
  serve(() => Response.json({}));
  const server = globalThis.fetch;
  const requests: string[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname !== '/doctors' || !searchParams.has('specialty')) return server(input, init);
    requests.push(searchParams.toString());
    return Response.json([{ ...world.doctor, nextFree: null }, colleague]);
  };
  world.doctor = { ...world.doctor, isAvailable: false };
  await open('', 'Dr. Grey isn’t taking new appointments');
  const link = await screen.findByRole('link', { name: /book with Dr. House$/ });
  expect(link.getAttribute('href')).toBe(`/appoinment/${colleague._id}?date=${day}&time=10:00`);
  expect(screen.queryByRole('button', { name: 'Book Appointment' })).toBeNull();
  expect(requests).toEqual(['specialty=Cardiologist&sort=soonest&limit=4']);
});

test('restores what was typed after a detour to the login page', async () => {
  serve(() => Response.json({}));
  await open();
  await userEvent.clear(screen.getByLabelText(/^Address/));
  await userEvent.type(screen.getByLabelText(/^Address/), '7 Rose Garden');
  cleanup();
  await open();
  expect(field(/^Address/).value).toBe('7 Rose Garden');
});
