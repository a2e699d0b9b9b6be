import { problemResponse, serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { addDays, clinicMoment, formatDate } from '@clinic/contracts';
import { noEmail } from '@clinic/contracts/erased-person';
import type { FoundPatient } from '@clinic/svc-clinic/contract/calendar-calls';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { calendarOf, dayOf } from '../testing/calendar.ts';
import { ann, annsAccount, appointment, doctor, foundAnn, grey, nadia } from '../testing/records.ts';
import { CalendarPage } from '../week-calendar/calendar-page.tsx';

const day = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 2);
const calendar = () =>
  calendarOf(
    [dayOf(day, world.booked.length === 0)],
    world.booked.map((body) => ({
      ...appointment({ ...body, date: day, time: '09:00', you: [] }),
      ends: '09:30',
      outside: false,
    })),
  );

interface World {
  accounts: readonly object[];
  visits: readonly FoundPatient[];
  names: Readonly<Record<string, { readonly _id: string; readonly firstName: string; readonly lastName: string }>>;
  book: (body: Record<string, unknown>) => Response;
  booked: Record<string, unknown>[];
  nextFree: string;
  /** Doctors who are free sooner. */
  sooner: readonly object[];
  /** Accounts that were asked for by address. */
  readonly lookedUp: string[];
  readonly sent: { readonly path: string; readonly key: string | null; readonly body: Record<string, unknown> }[];
}
let world: World;

function answer({ method, path, query, headers, body }: PageRequest): Response {
  if (path === '/doctors/calendar') return Response.json(calendar());
  if (path === '/doctors')
    return Response.json([
      ...world.sooner,
      { ...doctor, nextFree: query.get('sort') ? { date: day, time: world.nextFree } : null },
    ]);
  if (path.startsWith('/doc-pharma/')) return Response.json([doctor]);
  if (path === '/users') return Response.json(world.accounts);
  if (path === '/appoinments/patients') return Response.json(world.visits);
  if (path.startsWith('/users/')) {
    world.lookedUp.push(path);
    const named = world.names[decodeURIComponent(path.slice('/users/'.length))];
    return named ? Response.json(named) : problemResponse('not_found', 404);
  }
  if (path.endsWith('/schedule')) return Response.json({ version: 'v1', periods: [], daysOff: [], exceptions: [] });
  if (method !== 'POST') throw new Error(`The test has no answer for ${path}`);
  const sent = body as Record<string, unknown>;
  world.sent.push({ path, key: headers.get('idempotency-key'), body: sent });
  return world.book(sent);
}

const accept = (body: Record<string, unknown>): Response => {
  const record = {
    ...appointment({ ...body, date: day, time: '09:00' }),
    patientemail: body['patientemail'] ?? noEmail('1'),
  };
  world.booked = [record];
  return Response.json(record, { status: 201 });
};

prepareBrowser({ wide: true });
beforeEach(() => {
  world = {
    nextFree: '09:00',
    sooner: [],
    accounts: [annsAccount],
    visits: [foundAnn()],
    names: { [ann.email]: annsAccount },
    book: accept,
    booked: [],
    lookedUp: [],
    sent: [],
  };
});

async function open(user: typeof nadia): Promise<void> {
  serveAs(user, answer);
  await session.load();
  await renderRoutes([{ path: '/dash/calendar', Component: CalendarPage }], `/dash/calendar?date=${day}&view=day`);
}
async function openFreeTime(user = nadia): Promise<void> {
  await open(user);
  (await screen.findByRole('button', { name: /^Free, 9:00/ })).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Patient' })));
}
const chosen = async (name: RegExp) => {
  const option = await screen.findByRole('option', { name });
  await waitFor(() => expect(option.getAttribute('aria-selected')).toBe('true'));
};
/** Types a patient's name where the focus is, and takes the one that is found. @returns the field that follows */
async function chooseAnn(): Promise<HTMLElement> {
  await userEvent.keyboard('ann');
  await chosen(/^Ann Lee/);
  await userEvent.keyboard('{Enter}');
  return screen.findByLabelText(/^Reason/);
}
const optionsFound = () => within(screen.getByRole('listbox', { name: 'Patients found' })).getAllByRole('option');
const book = () => userEvent.click(screen.getByRole('button', { name: 'Book' }));
const told = () => notifications.get().at(-1);

test('a known patient is booked by keyboard alone, from a form that starts empty', async () => {
  await openFreeTime();
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Patient' }).value).toBe('');
  await userEvent.keyboard('ann');
  await chosen(
    new RegExp(
      `^Ann Lee.*born ${formatDate('1990-04-01')}.*\\+880 1555 010999.*${ann.email}.*${formatDate('2026-01-05')}`,
    ),
  );
  expect(optionsFound()).toHaveLength(2);
  await userEvent.keyboard('{Enter}');
  const reason = await screen.findByLabelText(/^Reason/);
  await waitFor(() => expect(document.activeElement).toBe(reason));
  await userEvent.keyboard('Palpitations{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(world.sent.map(({ path, body }) => [path, body])).toEqual([
    [
      '/appoinments',
      {
        patientname: 'Ann Lee',
        patientemail: ann.email,
        userId: annsAccount._id,
        number: annsAccount.phone,
        age: expect.any(Number) as number,
        address: annsAccount.address,
        reason: 'Palpitations',
        doctoremail: doctor.email,
        date: day,
        time: '09:00',
      },
    ],
  ]);
  expect(world.sent[0]?.key).toBeTruthy();
  expect(told()?.text).toBe('appoinment created');
  expect(told()?.detail).toBe(
    `Ann Lee with Dr. Grey, ${formatDate(day)} at 9:00 AM. We’re telling them by email: ann@mail.example.`,
  );
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Ann Lee, 9:00/));
});

test('a new patient needs two fields, and without an email address the desk is told to tell them', async () => {
  world = { ...world, accounts: [], visits: [] };
  await openFreeTime();
  await userEvent.keyboard('Rahim Uddin');
  await chosen(/^New patient: Rahim Uddin$/);
  await userEvent.keyboard('{Enter}');
  const contact = await screen.findByLabelText('Phone number or email');
  await waitFor(() => expect(document.activeElement).toBe(contact));
  await userEvent.keyboard('soon');
  await book();
  expect(await screen.findByText('This is neither a phone number nor an email address')).toBeTruthy();
  await userEvent.clear(contact);
  await userEvent.type(contact, '01711 000111');
  await book();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(world.sent[0]?.body).toMatchObject({
    patientname: 'Rahim Uddin',
    patientemail: null,
    number: '01711 000111',
    age: null,
    address: null,
  });
  expect(told()?.detail).toMatch(/tell the patient now, or call 01711 000111\.$/);
  await userEvent.click(await screen.findByRole('button', { name: /^Rahim Uddin, 9:00/ }));
  const details = within(await screen.findByRole('dialog', { name: 'Rahim Uddin' }));
  // The address that stands for none is nowhere.
  expect(document.documentElement.outerHTML).not.toContain('no-email');
  await userEvent.click(details.getByRole('button', { name: /^Delete patient: / }));
  expect(await screen.findByRole('alertdialog', { name: 'Delete Rahim Uddin?' })).toBeTruthy();
});

test('a patient without an email address is booked again, and no account is looked up for them', async () => {
  const patientemail = noEmail('f'.repeat(24));
  world = { ...world, accounts: [], visits: [foundAnn({ patientname: 'Rahim Uddin', patientemail, age: 0 })] };
  await openFreeTime();
  await userEvent.keyboard('rahim');
  await chosen(/^Rahim Uddin.*no email/);
  await userEvent.keyboard('{Enter}');
  await userEvent.type(await screen.findByLabelText(/^Reason/), '{Enter}');
  await waitFor(() => expect(world.sent).toHaveLength(1));
  expect(world.sent[0]?.body).toMatchObject({ patientname: 'Rahim Uddin', patientemail });
  expect(world.lookedUp).toEqual([]);
});

test('a new name under an account’s email address is asked about before anything is sent', async () => {
  world = { ...world, accounts: [], visits: [] };
  await openFreeTime();
  await userEvent.keyboard('Zoe Lee');
  await chosen(/^New patient/);
  await userEvent.keyboard('{Enter}');
  await userEvent.type(await screen.findByLabelText('Phone number or email'), ann.email);
  await book();
  const question = await screen.findByRole('alertdialog', { name: 'This is Ann Lee’s account' });
  expect(world.sent).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Book for Zoe Lee' }));
  await waitFor(() => expect(world.sent).toHaveLength(1));
  expect(world.sent[0]?.body).toMatchObject({ userId: annsAccount._id });
});

test('a patient of the list is booked as the account in the list, whoever has the address by now', async () => {
  world.names = { [ann.email]: { ...annsAccount, _id: 'c'.repeat(24) } };
  world.book = () => problemResponse('changed_meanwhile', 412, { detail: 'Find the person again by name.' });
  await openFreeTime();
  await userEvent.type(await chooseAnn(), '{Enter}');
  expect(await screen.findByText('Find the person again by name.')).toBeTruthy();
  expect(world.sent.map(({ body }) => body['userId'])).toEqual([annsAccount._id]);
});

test('a time that somebody else has just booked says so, and stays open', async () => {
  world.book = () => problemResponse('slot_taken', 409);
  await openFreeTime();
  await userEvent.type(await chooseAnn(), '{Enter}');
  expect(await screen.findByText(/^Somebody else has just booked this time/)).toBeTruthy();
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('both appointments at one time are kept only after a question', async () => {
  const sameTime = { others: [{ doctorname: 'Dr. House', date: day, time: '09:00' }], canConfirm: true };
  world.book = (body) =>
    body['alsoThen'] ? accept(body) : problemResponse('too_many_appointments', 409, { sameTime });
  await openFreeTime();
  await userEvent.type(await chooseAnn(), '{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep both' }));
  await waitFor(() => expect(world.sent).toHaveLength(2));
  expect(world.sent[1]?.body).toMatchObject({ alsoThen: true });
});

test('namesakes are told apart, and a child under a parent’s address is somebody else', async () => {
  world.visits = [foundAnn(), foundAnn({ appointment: 'f'.repeat(24), patientname: 'Annie Lee', age: 6 })];
  await openFreeTime();
  await userEvent.keyboard('ann');
  await chosen(/^Ann Lee/);
  const options = optionsFound().map(({ textContent }) => textContent);
  expect(options[1]).toMatch(/^Annie Leeage 6/);
  expect(options).toHaveLength(3);
});

test('a doctor books a patient of their own by an earlier appointment, and nobody new', async () => {
  world.book = (body) => Response.json([appointment({ ...body, date: day, time: '09:00' })], { status: 201 });
  await openFreeTime(grey);
  await userEvent.keyboard('ann');
  await chosen(/^Ann Lee/);
  expect(optionsFound()).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'Results{Enter}');
  await waitFor(() => expect(world.sent).toHaveLength(1));
  expect(world.sent[0]).toMatchObject({
    path: '/appoinments/series',
    body: {
      from: foundAnn().appointment,
      seen: { doctoremail: doctor.email },
      reason: 'Results',
      dates: [{ date: day, time: '09:00' }],
    },
  });
});

test('a walk-in gets the next free time of any doctor in the same way', async () => {
  await open(nadia);
  await userEvent.click(await screen.findByRole('button', { name: 'Walk-in' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: `Walk-in: ${formatDate(day)} at 9:00 AM, Dr. Grey` }),
  );
  expect(await dialog.findByRole('option', { name: `Dr. Grey, 9:00 AM, ${formatDate(day)}` })).toBeTruthy();
  dialog.getByRole('combobox', { name: 'Patient' }).focus();
  await userEvent.type(await chooseAnn(), '{Enter}');
  await waitFor(() =>
    expect(world.sent[0]?.body).toMatchObject({ doctoremail: doctor.email, date: day, time: '09:00', walkIn: true }),
  );
});

test('a walk-in whose answer was lost is sent again as it was, though its time is no longer free', async () => {
  world.book = () => {
    world.nextFree = '09:30';
    throw new TypeError('The connection was lost');
  };
  await open(nadia);
  await userEvent.click(await screen.findByRole('button', { name: 'Walk-in' }));
  const title = `Walk-in: ${formatDate(day)} at 9:00 AM, Dr. Grey`;
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  dialog.getByRole('combobox', { name: 'Patient' }).focus();
  const reason = await chooseAnn();
  await userEvent.type(reason, '{Enter}');
  await dialog.findByRole('alert');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.getByRole('dialog', { name: title })).toBeTruthy();
  await userEvent.type(reason, '{Enter}');
  await waitFor(() => expect(world.sent).toHaveLength(2));
  expect(world.sent[1]).toEqual(world.sent[0]);
});

const sooner = { ...doctor, _id: 'c'.repeat(24), name: 'Dr. Chen', email: 'chen@clinic.example' };
const changes: readonly [what: string, change: Partial<World>][] = [
  ['only later', { nextFree: '09:30' }],
  ['earlier', { nextFree: '08:30' }],
  ['after a colleague', { sooner: [{ ...sooner, nextFree: { date: day, time: '08:30' } }] }],
];
test.each(changes)('a walk-in keeps the time on screen when its doctor is free %s', async (_, change) => {
  await open(nadia);
  await userEvent.click(await screen.findByRole('button', { name: 'Walk-in' }));
  const title = `Walk-in: ${formatDate(day)} at 9:00 AM, Dr. Grey`;
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  Object.assign(world, change);
  // As when the window is in front again.
  await act(() => queryClient.invalidateQueries({ queryKey: ['listDoctors'] }));
  expect(await dialog.findByRole('option', { name: /8:30 AM|9:30 AM/ })).toBeTruthy();
  expect(screen.getByRole('dialog', { name: title })).toBeTruthy();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Patient' }), 'ann');
  await chosen(/^Ann Lee/);
  await userEvent.keyboard('{Enter}');
  await userEvent.type(await dialog.findByLabelText(/^Reason/), '{Enter}');
  await waitFor(() => expect(world.sent[0]?.body).toMatchObject({ doctoremail: doctor.email, time: '09:00' }));
});
