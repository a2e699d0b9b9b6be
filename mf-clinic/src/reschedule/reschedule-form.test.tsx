import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { notifications, queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { addDays, clinicMoment, formatDate, type Appointment, type Doctor } from '@clinic/contracts';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RescheduleForm } from './reschedule-form.tsx';
import { prepareBrowser } from '../testing/browser.ts';

const day = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 2);
const doctor: Doctor = {
  _id: 'd'.repeat(24),
  id: 'd'.repeat(24),
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
  availableTimes: ['09:00', '10:00'],
  daysOff: [],
  rating: 4.5,
  nextFree: null,
};
const appointment: Appointment = {
  _id: 'a'.repeat(24),
  patientname: 'Ann Lee',
  patientemail: 'ann@mail.example',
  doctorname: doctor.name,
  doctoremail: doctor.email,
  age: 34,
  address: 'x',
  number: '123',
  date: day,
  time: '09:30',
  status: 'Confirmed',
  changeUntil: '2100-01-01T00:00:00Z',
};

/** Replaces the gateway; keeps the requested slots. */
function serve(answers: readonly Response[]): unknown[] {
  const requests: unknown[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname.endsWith('/free-days'))
      return Response.json({ days: [{ date: day, free: 2 }], anyTime: false, timeZone: 'Asia/Dhaka' });
    if (pathname.endsWith('/free-times'))
      return Response.json({
        date: searchParams.get('date'),
        times: doctor.availableTimes,
        anyTime: false,
        timeZone: 'Asia/Dhaka',
      });
    if (init?.method !== 'PATCH' || pathname !== `/appoinments/${appointment._id}`)
      throw new Error(`The test has no answer for ${pathname}`);
    requests.push(await new Response(init.body).json());
    return answers[requests.length - 1] ?? Response.error();
  };
  return requests;
}

const closed = jest.fn();
prepareBrowser();
muteExpectedLogs();
beforeEach(async () => {
  queryClient.clear();
  closed.mockClear();
  render(
    <QueryClientProvider client={queryClient}>
      <RescheduleForm appointment={appointment} doctor={doctor} onClose={closed} />
    </QueryClientProvider>,
  );
  // Its code is loaded when it is first shown.
  await screen.findByRole('grid');
});

const send = () => userEvent.click(screen.getByRole('button', { name: 'Reschedule' }));

test('if the slot was taken meanwhile the form stays open with what else is free, and the next attempt moves the appointment', async () => {
  const problem = {
    type: '/problems/slot_taken',
    title: 'Someone else has just booked this time',
    status: 409,
    code: 'slot_taken',
    detail: 'Choose another time.',
    freeTimes: ['10:00'],
  };
  const requests = serve([Response.json(problem, { status: 409 }), Response.json({ ...appointment, time: '10:00' })]);
  await send();
  expect(await screen.findByText('Date is required')).toBeTruthy();
  expect(screen.getByText('Time is required')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:00 AM' }));
  await send();
  expect(await screen.findByText('Someone else has just booked this time')).toBeTruthy();
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
  await send();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(requests).toEqual([
    { date: day, time: '09:00' },
    { date: day, time: '10:00' },
  ]);
});

test('a move can be undone: the appointment is moved back', async () => {
  const requests = serve([Response.json({ ...appointment, date: day, time: '09:00' }), Response.json(appointment)]);
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:00 AM' }));
  await send();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
  expect(requests).toEqual([
    { date: day, time: '09:00' },
    { date: appointment.date, time: appointment.time },
  ]);
});

test('a move that makes the appointment pending has no Undo', async () => {
  serve([Response.json({ ...appointment, status: 'Pending', date: day, time: '09:00' })]);
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:00 AM' }));
  await send();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(notifications.get().at(-1)?.action).toBeUndefined();
});

test('asks about another appointment at the new time, and moves once confirmed', async () => {
  const problem = {
    type: '/problems/too_many_appointments',
    title: 'Too many upcoming appointments',
    status: 409,
    code: 'too_many_appointments',
    detail: 'x',
    sameTime: { others: [{ date: day, time: '09:10' }], canConfirm: true },
  };
  const requests = serve([Response.json(problem, { status: 409 }), Response.json({ ...appointment, time: '09:00' })]);
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:00 AM' }));
  await send();
  expect(await screen.findByText(`${formatDate(day)} at 9:10 AM`)).toBeTruthy();
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Keep both' }));
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(requests).toEqual([
    { date: day, time: '09:00' },
    { date: day, time: '09:00', alsoThen: true },
  ]);
});

test('says that a patient is too late', async () => {
  const detail = 'You can only change an appointment up to 2 hours before it. Call the clinic instead.';
  serve([
    Response.json(
      { type: '/problems/too_late', title: 'It’s too late to change this', status: 409, code: 'too_late', detail },
      { status: 409 },
    ),
  ]);
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:00 AM' }));
  await send();
  expect(await screen.findByText(detail)).toBeTruthy();
});

test('warns a patient that moving a confirmed appointment makes it pending again', async () => {
  cleanup();
  document.cookie = 'signed_in=1';
  const user = {
    email: appointment.patientemail,
    firstName: 'Ann',
    lastName: 'Lee',
    role: 'patient',
    emailVerified: true,
  };
  serve([]);
  const others = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    return pathname.startsWith('/users/')
      ? Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '1990-01-01' })
      : others(input, init);
  };
  await session.load();
  const hint = 'Your doctor needs to confirm the new time. Until then, the appointment is pending.';
  const form = (status: Appointment['status']) => (
    <QueryClientProvider client={queryClient}>
      <RescheduleForm appointment={{ ...appointment, status }} doctor={doctor} onClose={closed} />
    </QueryClientProvider>
  );
  const { rerender } = render(form('Confirmed'));
  expect(await screen.findByText(hint)).toBeTruthy();
  rerender(form('Pending'));
  expect(screen.queryByText(hint)).toBeNull();
});
