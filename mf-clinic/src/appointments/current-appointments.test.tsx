import { clinicMoment } from '@clinic/contracts';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CurrentAppointmentsPage } from './current-appointments-page.tsx';
import { RecordPage } from './record-page.tsx';
import { ConfirmAppointment, StatusOfAppointment, StatusToRead } from './status-of-appointment.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';

prepareBrowser({ wide: true });

test('the doctor sees which pending appointments patients have moved, and from when', async () => {
  serveAs(grey, ({ path }) => {
    if (path !== '/appoinments/unconfirmed') throw new Error(`The test has no answer for ${path}`);
    return Response.json([
      appointment({ movedFrom: { date: '2100-01-04', time: '09:30' } }),
      appointment({ _id: 'b'.repeat(24), patientname: 'Ben Roy' }),
    ]);
  });
  await session.load();
  const path = '/dash/appointmentRecord';
  await renderRoutes([{ path, Component: CurrentAppointmentsPage }], path);
  const row = async (name: string) => within((await screen.findByText(name)).closest('tr, li') as HTMLElement);
  const moved = await row('Ann Lee');
  expect(moved.getByText('Moved')).toBeTruthy();
  expect(moved.getByText('was Mon, Jan 4, 2100, 9:30 AM')).toBeTruthy();
  expect((await row('Ben Roy')).queryByText('Moved')).toBeNull();
});

test('nobody is asked to confirm a visit whose time has come', async () => {
  const queries: string[] = [];
  serveAs(grey, ({ query }) => {
    queries.push(query.toString());
    return Response.json([]);
  });
  await session.load();
  const path = '/dash/appointmentRecord';
  await renderRoutes([{ path, Component: CurrentAppointmentsPage }], path);
  await screen.findByText('No appointments to confirm');
  expect(queries[0]).toBe('sort=date&when=coming&email=grey%40clinic.example&limit=20');
});

test('the doctor’s record opens on what is next, soonest first; a period narrows it', async () => {
  const queries: URLSearchParams[] = [];
  serveAs(grey, ({ path, query }) => {
    if (path === '/appoinments/day') return Response.json({ visits: [], complete: true });
    if (path !== '/appoinments') throw new Error(`The test has no answer for ${path}`);
    queries.push(query);
    return Response.json([]);
  });
  await session.load();
  const path = '/dash/doctorAppoinments';
  await renderRoutes([{ path, Component: RecordPage }], path);
  await screen.findByText('No coming appointments');
  // By the words of the page's own title: "Waiting for you" was the waitlist's, too.
  expect(screen.getByRole('link', { name: 'To confirm' }).getAttribute('href')).toBe('/dash/appointmentRecord');
  const lists = () => queries.filter((query) => query.get('limit') === '20');
  const last = () => Object.fromEntries(lists().at(-1) ?? []);
  const coming = { email: grey.email, limit: '20', open: 'true', when: 'coming', sort: 'date' };
  expect(last()).toEqual(coming);
  await userEvent.selectOptions(screen.getByLabelText('Date'), 'Tomorrow');
  await waitFor(() => expect(last()).toEqual({ ...coming, from: expect.any(String), until: last()['from'] }));
});

test('the doctor’s day opens on who waits outside, and one press calls the next', async () => {
  const { date } = clinicMoment(new Date(), 'Asia/Dhaka');
  const waiting = (patientname: string, id: string, arrivedAt: string) => ({
    ...appointment({ date, time: '10:00', status: 'Confirmed', patientname, you: ['doctor'] }),
    _id: id.repeat(24),
    missedBefore: 0,
    attendance: { state: 'arrived', since: arrivedAt, arrivedAt, number: 4 },
  });
  const visits = [waiting('Ben Roy', 'b', '2026-01-01T04:30:00Z'), waiting('Ann Lee', 'a', '2026-01-01T04:00:00Z')];
  const sent: unknown[] = [];
  serveAs(grey, ({ path, method, body }) => {
    if (method === 'PATCH') {
      sent.push([path, body]);
      return Response.json(visits[1]);
    }
    return Response.json(path === '/appoinments/day' ? { visits, complete: true } : []);
  });
  await session.load();
  const path = '/dash/doctorAppoinments';
  await renderRoutes([{ path, Component: RecordPage }], path);
  const next = within(await screen.findByRole('article', { name: 'Next patient' }));
  expect(next.getByText(/Ann Lee/)).toBeTruthy();
  expect(next.getByRole('link', { name: 'Earlier visits of Ann Lee' }).getAttribute('href')).toBe(
    '/dash/doctorAppoinments?show=past&q=ann%40mail.example',
  );
  expect(within(screen.getByRole('list', { name: 'Waiting outside' })).getByText(/Ben Roy/)).toBeTruthy();
  await userEvent.click(next.getByRole('button', { name: /^Call in: Ann Lee/ }));
  await waitFor(() =>
    expect(sent).toEqual([[`/appoinments/${'a'.repeat(24)}/attendance`, { from: 'arrived', to: 'called' }]]),
  );
});

test('on the doctor’s record, only the page is called Calendar: the file and the subscription say what they are', async () => {
  serveAs(grey, ({ path, query }) => {
    if (path === '/appoinments/day') return Response.json({ visits: [], complete: true });
    if (path !== '/appoinments') throw new Error(`The test has no answer for ${path}`);
    return Response.json(query.get('limit') === '20' ? [appointment({ status: 'Confirmed', you: ['doctor'] })] : []);
  });
  await session.load();
  const path = '/dash/doctorAppoinments';
  await renderRoutes([{ path, Component: RecordPage }], path);
  await screen.findByText('Ann Lee');
  expect(screen.getByRole('link', { name: 'Calendar' }).getAttribute('href')).toBe('/dash/calendar');
  await userEvent.click(screen.getByRole('button', { name: /^More actions: / }));
  const words = screen
    .getAllByRole('button', { name: /calendar/i, hidden: true })
    .map(({ textContent }) => textContent);
  expect(words).toEqual(['Calendar subscription', 'Add to calendar']);
});

describe('actions on an appointment', () => {
  beforeEach(async () => {
    serveAs(grey, ({ path }) => {
      throw new Error(`The test has no answer for ${path}`);
    });
    await session.load();
    queryClient.setQueryData(['getUser', { params: { email: grey.email } }], grey);
  });

  const options = (more: Partial<Appointment>) => {
    const { getByLabelText, unmount } = render(
      <QueryClientProvider client={queryClient}>
        <StatusOfAppointment appointment={appointment(more)} />
      </QueryClientProvider>,
    );
    const offered = [...(getByLabelText(/^Status of /) as HTMLSelectElement).options].map(({ value }) => value);
    unmount();
    return offered;
  };
  const movedFrom = { date: '2100-01-04', time: '09:30' };

  test('the patient can confirm what was booked, but not a time they moved it to; the doctor can', () => {
    expect(options({ you: ['patient'] })).toEqual(['Pending', 'Confirmed', 'Cancelled']);
    expect(options({ you: ['patient'], movedFrom })).toEqual(['Pending', 'Cancelled']);
    expect(options({ you: ['doctor'], movedFrom })).toEqual(['Pending', 'Confirmed', 'Cancelled']);
  });

  test('follows the account relation from the service; the email address counts only if there is none', () => {
    expect(options({ you: ['doctor'], doctoremail: 'former@clinic.example' })).toEqual([
      'Pending',
      'Confirmed',
      'Cancelled',
    ]);
    expect(options({ you: [] })).toEqual(['Pending']);
    expect(options({})).toEqual(['Pending', 'Confirmed', 'Cancelled']);
    expect(options({ doctoremail: 'former@clinic.example' })).toEqual(['Pending']);
  });

  test('staff change no status of a visit that is over, unless its patient still waits', () => {
    const over = { you: ['doctor' as const], date: '2020-01-05' };
    expect(options(over)).toEqual(['Pending']);
    const attendance = { state: 'arrived', since: '2020-01-05T03:00:00Z' } as const;
    expect(options({ ...over, attendance })).toEqual(['Pending', 'Confirmed', 'Cancelled']);
  });

  test('a visit of this morning stays Pending, but nothing says that it waits for an answer', () => {
    const texts = (of: Appointment) => {
      const { container, unmount } = render(
        <QueryClientProvider client={queryClient}>
          <StatusToRead appointment={of} />
          <ConfirmAppointment appointment={of} />
        </QueryClientProvider>,
      );
      const { textContent } = container;
      unmount();
      return textContent;
    };
    expect(texts(appointment({ date: '2020-01-05' }))).toBe('PendingNot confirmed before its time');
    expect(texts(appointment())).toBe('PendingConfirm');
    expect(texts(appointment({ date: '2020-01-05', status: 'Cancelled' }))).toBe('Cancelled');
  });
});
