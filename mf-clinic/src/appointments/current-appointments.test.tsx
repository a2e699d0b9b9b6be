import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import type { Appointment } from '@clinic/contracts';
import { render, screen, within } from '@testing-library/react';
import { CurrentAppointmentsPage } from './current-appointments-page.tsx';
import { StatusOfAppointment } from './status-of-appointment.tsx';
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
});
