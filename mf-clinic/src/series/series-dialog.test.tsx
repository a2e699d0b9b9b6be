import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { notifications, queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { addDays, clinicMoment, formatDate } from '@clinic/contracts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SeriesDialog } from './series-dialog.tsx';
import { prepareBrowser } from '../testing/browser.ts';

const first = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 3);
const [second, third] = [addDays(first, 7), addDays(first, 14)];
const booked = jest.fn();
let sent: { readonly path: string; readonly body: Record<string, unknown>; readonly key: string | null }[];
let book: () => Response;

prepareBrowser();
beforeEach(() => {
  booked.mockClear();
  sent = [];
  book = () => Response.json([], { status: 201 });
  serveAs(undefined, ({ path, headers, body }) => {
    sent.push({ path, body: body as Record<string, unknown>, key: headers.get('idempotency-key') });
    if (path === '/appoinments/series') return book();
    return Response.json({
      dates: [
        { date: first, time: '09:00' },
        {
          date: second,
          time: '09:00',
          conflict: 'The clinic is closed on this day',
          alternative: { date: second, time: '09:30' },
        },
        { date: third, time: '09:00' },
      ],
    });
  });
  render(
    <QueryClientProvider client={queryClient}>
      <SeriesDialog
        title="Follow-ups for Ann Lee"
        whom={{ from: 'a'.repeat(24), seen: { doctoremail: 'dr.grey@clinic.example' } }}
        first={{ date: first, time: '09:00' }}
        suggested={3}
        onBooked={booked}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
});

test('the message names patient and doctor', async () => {
  const visit = { patientname: 'Ann Lee', doctorname: 'Dr. Grey' };
  book = () => Response.json([visit, visit], { status: 201 });
  await screen.findByText('The clinic is closed on this day');
  await press(`Leave out: ${formatDate(second)} at 9:00 AM`);
  await press('Book 2 appointments');
  await waitFor(() => expect(booked).toHaveBeenCalledTimes(1));
  expect(notifications.get().at(-1)?.text).toBe('2 appointments booked for Ann Lee with Dr. Grey');
});

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const bookings = () => sent.filter(({ path }) => path === '/appoinments/series');

test('books all dates once each conflict is decided: taken elsewhere', async () => {
  expect(await screen.findByText('The clinic is closed on this day')).toBeTruthy();
  expect(sent[0]?.body).toEqual({
    from: 'a'.repeat(24),
    first: { date: first, time: '09:00' },
    every: { unit: 'weeks', count: 1 },
    count: 3,
  });
  await press('Book 2 appointments');
  expect(bookings()).toEqual([]);
  await press(`Take ${formatDate(second)} at 9:30 AM`);
  await press('Book 3 appointments');
  await waitFor(() => expect(booked).toHaveBeenCalledTimes(1));
  expect(bookings().map(({ body }) => body)).toEqual([
    {
      from: 'a'.repeat(24),
      seen: { doctoremail: 'dr.grey@clinic.example' },
      dates: [
        { date: first, time: '09:00' },
        { date: second, time: '09:30' },
        { date: third, time: '09:00' },
      ],
    },
  ]);
  expect(bookings()[0]?.key).toMatch(/./);
});

test('or left out', async () => {
  await screen.findByText('The clinic is closed on this day');
  await press(`Leave out: ${formatDate(second)} at 9:00 AM`);
  await press('Book 2 appointments');
  await waitFor(() => expect(booked).toHaveBeenCalledTimes(1));
  expect(bookings()[0]?.body['dates']).toEqual([
    { date: first, time: '09:00' },
    { date: third, time: '09:00' },
  ]);
});

test('names the dates that somebody else has just booked, and checks all of them again', async () => {
  const message = `${formatDate(third)} at 9:00 AM: Someone else has this time`;
  book = () => problemResponse('slot_taken', 409, { errors: [{ field: 'dates.1', message }] });
  await screen.findByText('The clinic is closed on this day');
  await press(`Leave out: ${formatDate(second)} at 9:00 AM`);
  const checks = sent.length;
  await press('Book 2 appointments');
  expect(await screen.findByText(message)).toBeTruthy();
  expect(booked).not.toHaveBeenCalled();
  await waitFor(() => expect(sent.slice(checks).map(({ path }) => path)).toContain('/appoinments/series/preview'));
});

test('asks for numbers within the limits, and checks nothing meanwhile', async () => {
  await screen.findByText('The clinic is closed on this day');
  fireEvent.change(screen.getByLabelText('How many'), { target: { value: '53' } });
  expect(screen.getAllByText('Enter a number from 1 to 52')).toHaveLength(1);
  expect(screen.queryByRole('list', { name: 'Dates' })).toBeNull();
});
