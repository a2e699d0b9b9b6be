import { addDays, clinicMoment } from '@clinic/contracts';
import type { FreeSlot } from '@clinic/svc-clinic/contract/problems';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { BookingFields } from '../booking/booking-fields.ts';
import { appointment as anyAppointment, doctor as anyDoctor } from '../testing/records.ts';
import { place, problem, setUpWaitlist, show, shownMessages } from '../testing/waitlist.tsx';
import { WaitButton } from './wait-button.tsx';
import { EarlierDialog } from './wait-dialog.tsx';

setUpWaitlist();

const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
const doctor: Doctor = { ...anyDoctor, bookableUntil: addDays(today, 90) };
const fields: BookingFields = {
  patientname: 'Ann Lee',
  patientemail: 'ann@mail.example',
  age: '34',
  number: '+880 1555 010999',
  address: '5 Lake Road',
  date: '',
  time: '',
  reason: ' A cough ',
};
const chosen = jest.fn<void, [FreeSlot]>();
beforeEach(() => chosen.mockReset());
const joined = () => Response.json(place(), { status: 201 });
const join = () => userEvent.click(screen.getByRole('button', { name: 'Join the waitlist' }));
const opened = () => screen.findByRole('dialog', { name: 'Join the waitlist' });

interface OnBookingPageProps {
  readonly of?: Doctor;
  readonly typed?: Partial<BookingFields>;
  /** What the page learns about the patient a moment later. */
  readonly known?: Partial<BookingFields>;
  readonly forOthers?: boolean;
}

function OnBookingPage({ of = doctor, typed, known, forOthers = false }: OnBookingPageProps) {
  const { control, setValue } = useForm<BookingFields>({ defaultValues: { ...fields, ...typed } });
  useEffect(() => {
    for (const [name, value] of Object.entries(known ?? {})) setValue(name as keyof BookingFields, value);
  }, [known, setValue]);
  return (
    <WaitButton doctor={of} control={control} forOthers={forOthers} userIdAt={() => 'c'.repeat(24)} onChoose={chosen} />
  );
}

/** On the booking page of a link that opens it. @returns the requests, a list that grows */
async function openDialog(answer: () => Response = joined, typed: Partial<BookingFields> = {}) {
  const received = await show(<OnBookingPage typed={typed} />, { 'POST /waitlist': answer }, { at: '/?wait' });
  await opened();
  return received;
}

test('opens from the booking page, with what was typed there, and joins once', async () => {
  const received = await show(<OnBookingPage />, {
    'POST /waitlist': joined,
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Tell me if an earlier time becomes free' }));
  await opened();
  await join();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(received.map(({ call, body }) => [call, body])).toEqual([
    [
      'POST /waitlist',
      {
        patientemail: 'ann@mail.example',
        userId: 'c'.repeat(24),
        from: today,
        until: addDays(today, 14),
        parts: ['morning', 'afternoon', 'evening'],
        doctoremail: 'grey@clinic.example',
        patientname: 'Ann Lee',
        age: 34,
        number: '+880 1555 010999',
        address: '5 Lake Road',
        reason: 'A cough',
      },
    ],
  ]);
  expect(shownMessages()).toEqual(['We’ll tell you here as soon as a time becomes free']);
});

test('is open already when a fully booked doctor’s card leads here, and absent without listed times', async () => {
  await show(<OnBookingPage />, {}, { at: '/?wait' });
  await opened();
  cleanup();
  await show(<OnBookingPage of={{ ...doctor, availableTimes: [] }} />, {});
  expect(screen.queryByRole('button', { name: 'Tell me if an earlier time becomes free' })).toBeNull();
});

test('waits for any doctor of the specialty, on other days and at some times of day', async () => {
  const received = await openDialog();
  await userEvent.click(screen.getByRole('radio', { name: 'Any doctor, Cardiologist' }));
  fireEvent.change(screen.getByLabelText(/^First day/), { target: { value: addDays(today, 2) } });
  fireEvent.change(screen.getByLabelText(/^Last day/), { target: { value: addDays(today, 5) } });
  await userEvent.click(screen.getByRole('checkbox', { name: /^Mornings/ }));
  await join();
  await waitFor(() => expect(received).toHaveLength(1));
  const { specialty, doctoremail, from, until, parts } = received[0]?.body ?? {};
  expect({ specialty, doctoremail, from, until, parts }).toEqual({
    specialty: 'Cardiologist',
    doctoremail: undefined,
    from: addDays(today, 2),
    until: addDays(today, 5),
    parts: ['afternoon', 'evening'],
  });
});

test('asks for what is missing, and sends nothing meanwhile', async () => {
  const received = await openDialog(joined, { age: '' });
  for (const part of screen.getAllByRole('checkbox')) await userEvent.click(part);
  await join();
  expect(screen.getByRole('alert').textContent).toBe('Choose at least one time of day');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Mornings/ }));
  await join();
  expect(await screen.findByText('Age is required')).toBeTruthy();
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  expect(received).toEqual([]);
});

test('shows the service’s answer at its field, or below the form, and stays open', async () => {
  const answers = [
    problem('validation_failed', 400, { errors: [{ field: 'until', message: 'Last day is too far ahead' }] }),
    problem('duplicate', 409, { detail: 'You’re already waiting for this.' }),
  ];
  await openDialog(() => answers.shift()?.() ?? joined());
  await join();
  expect(await screen.findByText('Last day is too far ahead')).toBeTruthy();
  expect(screen.getByLabelText(/^Last day/).getAttribute('aria-invalid')).toBe('true');
  await join();
  expect((await screen.findByText('You’re already waiting for this.')).closest('[role=alert]')).toBeTruthy();
  await opened();
  expect(shownMessages()).toEqual([]);
});

test('offers the times that are free already, and puts the chosen one into the booking form', async () => {
  const slot: FreeSlot = { doctorid: doctor._id, doctorname: 'Dr. Grey', date: '2100-01-05', time: '09:30' };
  const detail = 'Dr. Grey is free on Jan 5. Book that time, or wait for other days or times.';
  await openDialog(problem('times_free', 409, { detail, freeSlots: [slot] }));
  await join();
  expect(await screen.findByText(detail)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /book with Dr\. Grey$/ }));
  expect(chosen.mock.calls).toEqual([[slot]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('for an earlier time it asks for days only, up to the appointment', async () => {
  const appointment = anyAppointment({ date: addDays(today, 4) });
  const closed = jest.fn();
  const received = await show(<EarlierDialog appointment={appointment} onClose={closed} />, {
    'POST /waitlist': joined,
  });
  const dialog = await screen.findByRole('dialog', { name: 'Wait for an earlier time' });
  expect(dialog.textContent).toContain(`${appointment.patientname} with ${appointment.doctorname}, now on `);
  expect(screen.queryByRole('textbox')).toBeNull();
  await join();
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(received[0]?.body).toEqual({
    patientemail: 'ann@mail.example',
    from: today,
    until: appointment.date,
    parts: ['morning', 'afternoon', 'evening'],
    appointment: appointment._id,
  });
});

test('takes over what the page learns once the dialog is open, but nothing that was typed in it', async () => {
  const known = { age: '36', number: '+880 1555 333' };
  const page = <OnBookingPage typed={{ age: '', number: '', address: '' }} known={known} />;
  const received = await show(page, { 'POST /waitlist': joined }, { at: '/?wait' });
  await opened();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Age/).value).toBe('36'));
  await userEvent.type(screen.getByLabelText(/^Address/), '7 Hill');
  await join();
  await waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]?.body).toMatchObject({ age: 36, number: '+880 1555 333', address: '7 Hill' });
});

test('staff find the patient first', async () => {
  await show(<OnBookingPage typed={{ patientemail: '' }} forOthers />, {}, { at: '/?wait' });
  await userEvent.click(screen.getByRole('button', { name: 'Put them on the waitlist' }));
  expect(screen.getByText('Find the patient first.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});
