import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { session } from '@clinic/app-kit/host';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MyAppointmentsPage } from './my-appointments-page.tsx';
import { RecordPage } from './record-page.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { ann, appointment, grey } from '../testing/records.ts';

const own = (more: Partial<Appointment> = {}) => appointment({ you: ['patient'], ...more });
let rows: readonly Appointment[];
let ofToday: readonly Appointment[] = [];
const requests: string[] = [];
const changed: string[] = [];

prepareBrowser({ wide: true });
beforeEach(() => {
  requests.length = 0;
  changed.length = 0;
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

async function open(path: string, state?: unknown, who = ann): Promise<void> {
  serveAs(who, ({ method, path: called, query, body }) => {
    if (called === '/doctors')
      return Response.json([{ _id: 'd'.repeat(24), specialty: 'Cardiologist', location: 'Level 3' }]);
    if (called.endsWith('/queue'))
      return Response.json(
        ofToday[0]?.attendance
          ? { state: 'arrived', number: 7, ahead: 2 }
          : { state: 'expected', ahead: 0, code: 'K7QM' },
      );
    if (called.endsWith('/attendance')) {
      changed.push(`${called} ${JSON.stringify(body)}`);
      ofToday = ofToday.map((one) => ({
        ...one,
        attendance: { state: 'arrived', since: '2026-11-30T03:00:00Z', number: 7 },
      }));
      return Response.json(ofToday[0]);
    }
    if (method === 'PATCH') {
      changed.push(`${called} ${JSON.stringify(body)}`);
      const [first] = rows;
      rows = [];
      return Response.json({ ...first, status: 'Cancelled' });
    }
    if (called !== '/appoinments') throw new Error(`The test has no answer for ${called}`);
    // The visits of the day are beside the list.
    if (query.get('from') !== null) return Response.json(ofToday);
    requests.push(query.toString());
    return Response.json(rows, { headers: { 'x-total-count': String(rows.length) } });
  });
  await session.load();
  const routes = [
    { path: '/dash/patient', Component: MyAppointmentsPage },
    { path: '/dash/doctorAppoinments', Component: RecordPage },
    { path: '/appoinment/:_id', element: <p>the booking form</p> },
  ];
  const [pathname = '', search = ''] = path.split('?');
  await renderRoutes(routes, { pathname, search: `?${search}`, state });
  await screen.findAllByText(/Dr\. /);
}

test('lists upcoming ones first, soonest on top; past and cancelled ones have their own section', async () => {
  rows = [own()];
  await open('/dash/patient');
  expect(requests[0]).toBe('open=true&when=coming&sort=date&email=ann%40mail.example&limit=20');
  // The title says "All", so the section has the number of what it shows.
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('All My Appoinments');
  expect(await screen.findByText('1 appointment')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Past' }));
  await waitFor(() => expect(requests.at(-1)).toContain('open=true&when=past&sort=-date'));
  await userEvent.click(screen.getByRole('button', { name: 'Cancelled' }));
  await waitFor(() => expect(requests.at(-1)).toContain('status=Cancelled&sort=-date'));
  expect(screen.getByRole('button', { name: 'Cancelled' }).getAttribute('aria-pressed')).toBe('true');
});

test('a patient cancels from their list, and reads the doctor’s name', async () => {
  rows = [own()];
  await open('/dash/patient');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel: Dr. Grey, Tue, Jan 5, 2100 at 10:00 AM' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Cancel your appointment with Dr. Grey?' });
  expect(changed).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  await waitFor(() =>
    expect(changed).toEqual([
      `/update-appoinment/${'a'.repeat(24)} {"newStatus":"Cancelled","seen":{"doctoremail":"grey@clinic.example","date":"2100-01-05","time":"10:00","status":"Pending"}}`,
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('a past one can’t be moved or cancelled, but booked again', async () => {
  rows = [own({ date: '2020-01-05', status: 'Confirmed' })];
  await open('/dash/patient?show=past');
  for (const name of [/^Reschedule/, /^Cancel:/, /^Add to calendar/])
    expect(screen.queryByRole('button', { name })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Book again: Dr\. Grey/ }));
  expect(await screen.findByText('the booking form')).toBeTruthy();
});

test.each([
  ['where it was promised to be', { place: 'Evening clinic, Room 2' }, 'Evening clinic, Room 2'],
  ['at the doctor’s usual place, if a service of an earlier release doesn’t say', {}, 'Level 3'],
])('the record shows what was just booked first, until it is cancelled: %s', async (_, promised, place) => {
  const booked = own(promised);
  rows = [booked];
  await open('/dash/doctorAppoinments', { booked });
  const panel = await screen.findByRole('region', { name: 'Your new appointment' });
  expect(await within(panel).findByText(place)).toBeTruthy();
  expect(await within(panel).findByText(/Cardiologist/)).toBeTruthy();
  expect(within(panel).getByText('Tue, Jan 5, 2100 at 10:00 AM')).toBeTruthy();
  await userEvent.click(within(panel).getByRole('button', { name: /^Cancel:/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel appointment' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Your new appointment' })).toBeNull());
});

test('nothing in a history entry breaks the record', async () => {
  rows = [own()];
  for (const state of [null, 'x', { booked: null }, { booked: { _id: 1 } }]) {
    await open('/dash/doctorAppoinments', state);
    expect(screen.queryByRole('region', { name: 'Your new appointment' })).toBeNull();
    cleanup();
  }
});

test('moves an appointment out of the upcoming ones when it starts, on a page left open', async () => {
  pretendItIs('2026-11-30T17:50:00Z');
  const late = own({
    date: '2026-11-30',
    time: '23:55',
    status: 'Confirmed',
    changeUntil: '2026-11-30T15:55:00Z',
  });
  rows = [late, own({ _id: 'b'.repeat(24), doctorname: 'Dr. House' })];
  await open('/dash/patient');
  // It stays for now.
  fireEvent.focus(window);
  expect(requests).toHaveLength(1);
  rows = rows.slice(1);
  jest.setSystemTime(new Date('2026-11-30T18:00:10Z'));
  fireEvent.focus(window);
  await waitFor(() => expect(screen.queryByText('Dr. Grey')).toBeNull());
  expect(requests.every((query) => query.includes('when=coming'))).toBe(true);
  expect(screen.getByText('Dr. House')).toBeTruthy();
});

test('on a page left open, a patient can’t cancel any more once it is too late', async () => {
  pretendItIs('2026-11-30T05:59:30Z');
  rows = [own({ date: '2026-11-30', time: '14:00', changeUntil: '2026-11-30T06:00:00Z' })];
  await open('/dash/doctorAppoinments');
  const status = () => screen.getByRole('combobox', { name: /^Status of/ });
  const choices = () =>
    within(status())
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  expect(choices()).toEqual(['Pending', 'Confirmed', 'Cancelled']);
  expect(screen.getByRole('button', { name: /^Cancel:/ })).toBeTruthy();
  jest.setSystemTime(new Date('2026-11-30T06:00:10Z'));
  fireEvent.focus(window);
  await waitFor(() => expect(choices()).toEqual(['Pending', 'Confirmed']));
  expect(screen.queryByRole('button', { name: /^Cancel:/ })).toBeNull();
});

test.each(['/dash/patient', '/dash/doctorAppoinments'])(
  'a doctor’s list on %s begins with the patient, and says with whom their own visits are',
  async (path) => {
    const visits = [
      appointment({ you: ['doctor'] }),
      appointment({
        _id: 'b'.repeat(24),
        you: ['patient'],
        patientname: 'Meredith Grey',
        patientemail: grey.email,
        doctorname: 'Dr. House',
        doctoremail: 'house@clinic.example',
      }),
    ];
    rows = visits;
    await open(path, undefined, grey);
    // What a row begins with; the doctor's day may name the patient, too.
    const rowOf = (name: string) => screen.getAllByText(name).at(-1)?.closest('tr, li')?.textContent;
    expect(rowOf('Meredith Grey')).toMatch(/^Meredith Grey.*?With Dr\. House/);
    expect(rowOf('Ann Lee')).toMatch(/^Ann Lee/);
    expect(rowOf('Ann Lee')).not.toContain('Dr. Grey');
  },
);

test('on the day the patient says that they are here, and then reads their number and place', async () => {
  pretendItIs('2026-11-30T03:00:00Z');
  rows = [own()];
  ofToday = [own({ date: '2026-11-30', time: '09:30', place: 'Level 3', status: 'Confirmed' })];
  await open('/dash/patient');
  // Or they say so at the desk.
  expect((await screen.findByText('K7QM')).closest('p')?.textContent).toBe('At the desk, say K7QM');
  await userEvent.click(await screen.findByRole('button', { name: 'I’m here: Dr. Grey, Level 3, 9:30 AM' }));
  expect(await screen.findByText('2 patients are before you')).toBeTruthy();
  expect(screen.getByText('7')).toBeTruthy();
  expect(screen.queryByText('K7QM')).toBeNull();
  expect(changed).toEqual([`/appoinments/${'a'.repeat(24)}/attendance {"from":"expected","to":"arrived"}`]);
  ofToday = [];
});
