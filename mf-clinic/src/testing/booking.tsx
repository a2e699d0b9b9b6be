import { problemResponse, serveAs, type SignedIn } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { session } from '@clinic/app-kit/host';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BookingPage } from '../booking/booking-page.tsx';
import { prepareBrowser } from './browser.ts';
import { ann, doctor } from './records.ts';

export const day = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 2);

/** What the services know: the doctor, and the person before they book. Tests change it. */
export const world: {
  doctor: Doctor;
  /** Free times can't be read. */
  unread?: boolean;
  known: { readonly account: object; readonly appointments: readonly object[]; readonly orders: readonly object[] };
} = {
  doctor,
  known: { account: {}, appointments: [], orders: [] },
};

export interface Sent {
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

/**
 * Responds like the services.
 *
 * @param user - who is signed in
 * @param accounts - others’ names by email address, for admins
 * @returns the bookings, a list that grows
 */
export function serve(
  answerBooking: () => Response,
  user: SignedIn = ann,
  accounts: Readonly<Record<string, { readonly firstName: string; readonly lastName: string }>> = {},
): Sent[] {
  const sent: Sent[] = [];
  serveAs(
    user,
    ({ method, path, query, headers, body }) => {
      if (path === '/doctors') return Response.json(world.doctor);
      if (path.endsWith('/free-times') && world.unread) return problemResponse('forbidden', 403);
      if (path.endsWith('/free-times'))
        return Response.json({
          date: query.get('date'),
          times: world.doctor.availableTimes,
          anyTime: false,
          timeZone: 'Asia/Dhaka',
        });
      if (path.endsWith('/free-days'))
        return Response.json({ days: [{ date: day, free: 3 }], anyTime: false, timeZone: 'Asia/Dhaka' });
      if (path === '/users') return problemResponse('forbidden', 403, { detail: 'Nobody may search.' });
      if (path.startsWith('/users/')) {
        const email = decodeURIComponent(path.slice('/users/'.length));
        const account = accounts[email];
        return account ? Response.json({ ...account, email }) : problemResponse('not_found', 404);
      }
      if (path === '/orderMedi') return Response.json(world.known.orders);
      if (path !== '/appoinments') throw new Error(`The test has no answer for ${path}`);
      if (method !== 'POST') return Response.json(world.known.appointments);
      sent.push({ key: headers.get('idempotency-key'), body: body as Record<string, unknown> });
      return answerBooking();
    },
    () => world.known.account,
  );
  return sent;
}

/** @returns the address of the page that is shown now */
export async function open(search = '', heading?: string): Promise<() => string> {
  await session.load();
  const routes = [
    { path: '/appoinment/:_id', Component: BookingPage },
    { path: '/dash/doctorAppoinments', element: <p>the record</p> },
    { path: '/dash/appoinments', element: <p>all appointments</p> },
  ];
  const address = await renderRoutes(routes, `/appoinment/${world.doctor._id}${search}`);
  await (heading
    ? screen.findByRole('heading', { name: heading })
    : screen.findByRole('button', { name: 'Book Appointment' }));
  return address;
}

export async function fill(): Promise<void> {
  await userEvent.type(screen.getByLabelText(/^Age/), '34');
  await userEvent.type(screen.getByLabelText(/^Phone number/), '+880 1555 010999');
  await userEvent.type(screen.getByLabelText(/^Address/), '5 Lake Road');
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:30 AM' }));
}

export const book = () => screen.getByRole('button', { name: 'Book Appointment' });
export const problem = (code: string, status: number, more: object) =>
  problemResponse(code, status, { title: 'Someone else has just booked this time', ...more });

/** The answer to a booking. */
export const booked = () => Response.json({ _id: 'c'.repeat(24), status: 'Pending' }, { status: 201 });

export const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);

/** Sets up each test of a file, with a doctor of its own. */
export function setUpBooking(): void {
  prepareBrowser();
  let tests = 0;
  beforeEach(() => {
    world.known = { account: {}, appointments: [], orders: [] };
    // Drafts live as long as the page: each doctor has a form of their own.
    tests += 1;
    world.doctor = { ...doctor, _id: String(tests).padStart(24, '0') };
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}
