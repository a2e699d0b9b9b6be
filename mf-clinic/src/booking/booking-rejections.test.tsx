import { formatDate } from '@clinic/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { day, serve, open, fill, book, booked, field, problem, setUpBooking } from '../testing/booking.tsx';

setUpBooking();

async function openAndBook(): Promise<void> {
  await open();
  await fill();
  await userEvent.click(book());
}

test('offers the other free times if a time is taken, and keeps what was typed', async () => {
  const sent = serve(() => problem('slot_taken', 409, { detail: 'Choose another time.', freeTimes: ['10:00'] }));
  await openAndBook();
  expect(await screen.findByText('failed to book')).toBeTruthy();
  expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'))).toEqual(['10:00 AM']);
  expect(field(/^Address/).value).toBe('5 Lake Road');
  await userEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
  await userEvent.click(book());
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body['time']).toBe('10:00');
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('retries with the same key after a lost response', async () => {
  let answers = 0;
  const sent = serve(() => {
    answers += 1;
    if (answers === 1) throw new TypeError('connection reset');
    return booked();
  });
  await openAndBook();
  expect(await screen.findByText('We couldn’t confirm it')).toBeTruthy();
  await userEvent.click(book());
  await screen.findByText('the record');
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test('shows the server’s field errors at the field', async () => {
  serve(() =>
    problem('validation_failed', 400, {
      errors: [{ field: 'address', message: 'Address must be 200 characters or fewer' }],
    }),
  );
  await openAndBook();
  expect(await screen.findByText('Address must be 200 characters or fewer')).toBeTruthy();
  expect(field(/^Address/).getAttribute('aria-invalid')).toBe('true');
});

describe('another appointment at the same time', () => {
  const sameTime = { others: [{ doctorname: 'Dr. House', date: day, time: '09:20' }], canConfirm: true };
  const rejected = (canConfirm = true) => {
    const detail = 'You already have another appointment at this time.';
    return problem('too_many_appointments', 409, {
      title: 'Too many upcoming appointments',
      detail,
      errors: [{ field: 'time', message: detail }],
      sameTime: { ...sameTime, canConfirm },
    });
  };
  test('needs confirmation, and is then booked beside the other one', async () => {
    const answers = [rejected(), booked()];
    const sent = serve(() => answers.shift() ?? Response.error());
    await openAndBook();
    const dialog = await screen.findByRole('alertdialog', { name: 'Two appointments at the same time?' });
    expect(within(dialog).getByText(`Dr. House, ${formatDate(day)} at 9:20 AM`)).toBeTruthy();
    expect(screen.queryByText('failed to book')).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Keep both' }));
    await screen.findByText('the record');
    expect(sent.map(({ body }) => body['alsoThen'])).toEqual([undefined, true]);
    expect(sent[1]?.body).toEqual({ ...sent[0]?.body, alsoThen: true });
    // Another body with the same key would be rejected.
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  test('sends nothing if another time is to be chosen, and keeps what was typed', async () => {
    const sent = serve(() => rejected());
    await openAndBook();
    await userEvent.click(await screen.findByRole('button', { name: 'Choose another time' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByText('Choose another time')).toBeTruthy();
    expect(field(/^Address/).value).toBe('5 Lake Road');
    expect(sent).toHaveLength(1);
  });

  test('needs no confirmation if it isn’t allowed: the form says why', async () => {
    serve(() => rejected(false));
    await openAndBook();
    expect(await screen.findByText('failed to book')).toBeTruthy();
    expect(screen.getAllByText('You already have another appointment at this time.')).toHaveLength(2);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
