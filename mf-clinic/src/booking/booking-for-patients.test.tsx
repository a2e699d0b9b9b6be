import { renderRoutes } from '@clinic/app-kit/test-pages';
import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { AllAppointmentsPage } from '../appointments/all-appointments-page.tsx';
import { day, serve, open, book, field, setUpBooking } from '../testing/booking.tsx';
import { appointment, nadia } from '../testing/records.ts';
import { useStartOfBookings } from './staff-booking.ts';

setUpBooking();

const karim = { firstName: 'Karim', lastName: 'Uddin' };
const accounts = { 'karim@mail.example': karim };
const bookedFor = (patientname: string) => () =>
  Response.json(appointment({ patientname, patientemail: 'karim@mail.example', date: day, time: '09:30', you: [] }), {
    status: 201,
  });

async function fillFor(name: string, email: string): Promise<void> {
  const typed: readonly (readonly [RegExp, string])[] = [
    [/^Patient name/, name],
    [/^Email/, email],
    [/^Age/, '34'],
    [/^Phone number/, '+880 1555 010999'],
    [/^Address/, '5 Lake Road'],
    [/^Date/, day],
  ];
  for (const [label, value] of typed) fireEvent.change(field(label), { target: { value } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:30 AM' }));
}

test('an admin’s form starts empty: their own details are no guess at the patient’s', async () => {
  const sent = serve(() => Response.json({}), nadia);
  await open();
  expect([/^Patient name/, /^Email/, /^Age/, /^Phone number/, /^Address/].map((label) => field(label).value)).toEqual([
    '',
    '',
    '',
    '',
    '',
  ]);
  // The browser would offer them, too.
  expect(field(/^Patient name/).autocomplete).toBe('off');
  fireEvent.change(field(/^Email/), { target: { value: 'karim@mail.example' } });
  await userEvent.click(book());
  expect(await screen.findByText('Patient name is required')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a search for an account that fails isn’t one that finds nobody', async () => {
  serve(() => Response.json({}), nadia);
  await open();
  await userEvent.type(await screen.findByLabelText('Find the patient'), 'karim');
  expect(await screen.findByText('We couldn’t search the accounts. Nobody may search.')).toBeTruthy();
});

test('asks before booking under the address of an account of another name, once', async () => {
  const sent = serve(bookedFor('Mia Uddin'), nadia, accounts);
  await open();
  await fillFor('Mia Uddin', 'karim@mail.example');
  await userEvent.click(book());
  const question = await screen.findByRole('alertdialog', { name: 'This is Karim Uddin’s account' });
  await userEvent.click(within(question).getByRole('button', { name: 'Change the details' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(sent).toEqual([]);
  await userEvent.click(book());
  await userEvent.click(await screen.findByRole('button', { name: 'Book for Mia Uddin' }));
  await screen.findByText('all appointments');
  expect(sent.map(({ body }) => [body['patientname'], body['patientemail']])).toEqual([
    ['Mia Uddin', 'karim@mail.example'],
  ]);
});

test.each([
  ['the account’s own name, however it is written', 'karím  uddin', 'karim@mail.example'],
  ['an address without an account', 'Rahim Khan', 'nobody@mail.example'],
])('%s needs no question', async (_, name, email) => {
  serve(bookedFor(name), nadia, accounts);
  await open();
  await fillFor(name, email);
  await userEvent.click(book());
  await screen.findByText('all appointments');
});

test('books nothing while it isn’t known whose the address is', async () => {
  const sent = serve(bookedFor('Mia'), nadia);
  const server = globalThis.fetch;
  await open();
  await fillFor('Mia', 'karim@mail.example');
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname.startsWith('/users/')) throw new TypeError('connection reset');
    return server(input, init);
  };
  await userEvent.click(book());
  expect(await screen.findByText('failed to book')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('afterwards the admin is back on the page they came from, and the message names the patient', async () => {
  const Start = () => {
    useStartOfBookings();
    return null;
  };
  const { unmount } = render(
    <MemoryRouter initialEntries={[`/dash/appoinments?when=today`]}>
      <Start />
    </MemoryRouter>,
  );
  unmount();
  notifications.set([]);
  serve(bookedFor('Karim Uddin'), nadia, accounts);
  const address = await open();
  await fillFor('Karim Uddin', 'karim@mail.example');
  await userEvent.click(book());
  await waitFor(() => expect(address()).toBe('/dash/appoinments?when=today'));
  expect(notifications.get().map(({ text, detail }) => [text, detail])).toEqual([
    ['appoinment created', 'For Karim Uddin'],
  ]);
});

test('the list names the patient that was just booked, and nothing that only a patient is told', async () => {
  const booked = appointment({ patientname: 'Karim Uddin', patientemail: 'karim@mail.example', you: [] });
  queryClient.clear();
  serveAs(nadia, ({ path }) => {
    if (path === '/appoinments') return Response.json([booked]);
    if (path === '/doctors') return Response.json([]);
    throw new Error(`The test has no answer for ${path}`);
  });
  await session.load();
  await renderRoutes([{ path: '*', Component: AllAppointmentsPage }], {
    pathname: '/dash/appoinments',
    state: { booked },
  });
  const panel = within(await screen.findByRole('region', { name: 'Booked for Karim Uddin' }));
  expect(panel.getByText('karim@mail.example')).toBeTruthy();
  expect(panel.queryByText(/your id|You can move or cancel/i)).toBeNull();
  await userEvent.click(panel.getByRole('button', { name: /^Cancel/ }));
  expect(screen.getByRole('alertdialog', { name: 'Cancel Karim Uddin’s appointment with Dr. Grey?' })).toBeTruthy();
});
