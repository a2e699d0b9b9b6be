import { problemResponse, serveAs, type SignedIn } from '@clinic/app-kit/test-gateway';
import { notifications, queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { addDays, clinicMoment, formatDate } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { moveBack } from './move-back.ts';
import { RescheduleForm } from './reschedule-form.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { ann, appointment, doctor as anyDoctor } from '../testing/records.ts';

const day = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 2);
const doctor = { ...anyDoctor, availableTimes: ['09:00', '10:00'] };
const booked = appointment({ date: day, time: '09:30', status: 'Confirmed', changeUntil: '2100-01-01T00:00:00Z' });
/** As it is on screen: somebody who has moved it meanwhile isn't overwritten. */
const seen = { doctoremail: booked.doctoremail, date: day, time: '09:30' };

/** Responds to moves. @returns the requested slots, a list that grows */
function serve(answers: readonly Response[], user?: SignedIn): unknown[] {
  const requests: unknown[] = [];
  serveAs(user, ({ method, path, query, body }) => {
    const times = { anyTime: false, timeZone: 'Asia/Dhaka' };
    if (path.endsWith('/free-days')) return Response.json({ days: [{ date: day, free: 2 }], ...times });
    if (path.endsWith('/free-times'))
      return Response.json({ date: query.get('date'), times: doctor.availableTimes, ...times });
    if (method !== 'PATCH' || ![`/appoinments/${booked._id}`, '/appoinments/undone'].includes(path))
      throw new Error(`The test has no answer for ${path}`);
    requests.push(body);
    return answers[requests.length - 1] ?? Response.error();
  });
  return requests;
}

const closed = jest.fn();
prepareBrowser();
beforeEach(async () => {
  closed.mockClear();
  render(
    <QueryClientProvider client={queryClient}>
      <RescheduleForm appointment={booked} doctor={doctor} onClose={closed} />
    </QueryClientProvider>,
  );
  // Its code is loaded when it is first shown.
  await screen.findByRole('grid');
});

const send = () => userEvent.click(screen.getByRole('button', { name: 'Reschedule' }));

async function moveToNine(): Promise<void> {
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:00 AM' }));
  await send();
}

test('if the slot was taken meanwhile the form stays open with what else is free, and the next attempt moves the appointment', async () => {
  const problem = problemResponse('slot_taken', 409, {
    title: 'Someone else has just booked this time',
    detail: 'Choose another time.',
    freeTimes: ['10:00'],
  });
  const requests = serve([problem, Response.json({ ...booked, time: '10:00' })]);
  await moveToNine();
  expect(await screen.findByText('Someone else has just booked this time')).toBeTruthy();
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
  await send();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(requests).toEqual([
    { date: day, time: '09:00', seen },
    { date: day, time: '10:00', seen },
  ]);
});

test('the button is off until a time is chosen', async () => {
  const requests = serve([]);
  const off = () => screen.getByRole('button', { name: 'Reschedule' }).getAttribute('aria-disabled');
  await send();
  expect(off()).toBe('true');
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await screen.findByRole('radio', { name: '9:00 AM' });
  await send();
  expect(off()).toBe('true');
  await userEvent.click(screen.getByRole('radio', { name: '9:00 AM' }));
  expect(off()).toBe('false');
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: '2020-01-01' } });
  expect(off()).toBe('true');
  expect(screen.getByText('Date is in the past')).toBeTruthy();
  await send();
  expect(requests).toEqual([]);
});

test('the times come into view once those of the pressed day have loaded, not while a date is typed', async () => {
  serve([]);
  const shown: Element[] = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(this: Element) {
    shown.push(this);
  });
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: day } });
  await screen.findByRole('radio', { name: '9:00 AM' });
  expect(shown).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: new RegExp(`^${formatDate(day)}`) }));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(within(shown[0] as HTMLElement).getByRole('radio', { name: '9:00 AM' })).toBeTruthy();
});

test('a move by staff can be undone: the appointment gets what it was promised', async () => {
  const requests = serve([Response.json({ ...booked, date: day, time: '09:00' }), Response.json(booked)]);
  await moveToNine();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
  expect(requests).toEqual([
    { date: day, time: '09:00', seen },
    { moves: [{ id: booked._id, seen: { doctoremail: booked.doctoremail, date: day, time: '09:00' } }] },
  ]);
});

test('a patient’s move that keeps the status is undone by another move', () => {
  const moved = { ...booked, time: '09:00' };
  expect(moveBack(moved, booked, true)).toMatchObject({
    call: 'rescheduleAppointment',
    input: { params: { id: booked._id }, body: { date: day, time: '09:30', seen: { ...seen, time: '09:00' } } },
  });
  expect(moveBack({ ...moved, status: 'Pending' }, booked, true)).toBeUndefined();
});

test('a move that makes the appointment pending has no Undo', async () => {
  serve([Response.json({ ...booked, status: 'Pending', date: day, time: '09:00' })]);
  await moveToNine();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(notifications.get().at(-1)?.action).toBeUndefined();
});

test('asks about another appointment at the new time, and moves once confirmed', async () => {
  const problem = problemResponse('too_many_appointments', 409, {
    sameTime: { others: [{ date: day, time: '09:10' }], canConfirm: true },
  });
  const requests = serve([problem, Response.json({ ...booked, time: '09:00' })]);
  await moveToNine();
  expect(await screen.findByText(`${formatDate(day)} at 9:10 AM`)).toBeTruthy();
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Keep both' }));
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(requests).toEqual([
    { date: day, time: '09:00', seen },
    { date: day, time: '09:00', seen, alsoThen: true },
  ]);
});

test('says that a patient is too late', async () => {
  const detail = 'You can only change an appointment up to 2 hours before it. Call the clinic instead.';
  serve([problemResponse('too_late', 409, { detail })]);
  await moveToNine();
  expect(await screen.findByText(detail)).toBeTruthy();
});

test('warns a patient that moving a confirmed appointment makes it pending again', async () => {
  cleanup();
  serve([], ann);
  await session.load();
  const hint = 'Your doctor needs to confirm the new time. Until then, the appointment is pending.';
  const form = (status: Appointment['status']) => (
    <QueryClientProvider client={queryClient}>
      <RescheduleForm appointment={{ ...booked, status }} doctor={doctor} onClose={closed} />
    </QueryClientProvider>
  );
  const { rerender } = render(form('Confirmed'));
  expect(await screen.findByText(hint)).toBeTruthy();
  rerender(form('Pending'));
  expect(screen.queryByText(hint)).toBeNull();
});
