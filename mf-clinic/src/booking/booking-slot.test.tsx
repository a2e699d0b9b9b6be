import { addDays, formatDate } from '@clinic/contracts';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { day, serve, open, fill, book, world, field, setUpBooking } from '../testing/booking.tsx';

setUpBooking();

test('ignores a slot in the address that is none, and drops one that is taken', async () => {
  serve(() => Response.json({}));
  await open(`?date=${day}&time=09:45`);
  await screen.findByRole('radio', { name: '9:30 AM' });
  expect(screen.getAllByRole<HTMLInputElement>('radio').some(({ checked }) => checked)).toBe(false);
  cleanup();
  world.doctor = { ...world.doctor, _id: 'd'.repeat(24) };
  await open('?date=tomorrow&time=soon');
  expect(field(/^Date/).value).toBe('');
});

test('keeps the chosen slot while its day’s free times can’t be loaded', async () => {
  world.unread = true;
  serve(() => Response.json({}));
  await open(`?date=${day}&time=09:30`);
  await screen.findByText('Error loading free times');
  world.unread = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: '9:30 AM' })).checked).toBe(true);
});

test('offers the earliest free slot in one press', async () => {
  world.doctor = { ...world.doctor, nextFree: { date: day, time: '09:30' } };
  serve(() => Response.json({}));
  await open();
  await userEvent.click(screen.getByRole('button', { name: /^Earliest: .* at 9:30 AM$/ }));
  expect(field(/^Date/).value).toBe(day);
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: '9:30 AM' })).checked).toBe(true);
});

test('clears the time when another day is chosen', async () => {
  serve(() => Response.json({}));
  await open();
  await fill();
  fireEvent.change(field(/^Date/), { target: { value: '' } });
  expect(screen.queryAllByRole('radio')).toEqual([]);
  await userEvent.click(book());
  expect(await screen.findByText('Time is required')).toBeTruthy();
});

test('drops yesterday’s slots on a page left open over midnight at the clinic', async () => {
  pretendItIs('2026-11-30T17:59:50Z');
  world.doctor = { ...world.doctor, nextFree: { date: '2026-11-30', time: '23:59' } };
  const sent = serve(() => Response.json({}));
  await open();
  const earliest = () => screen.queryByRole('button', { name: /^Earliest/ });
  const date = () => field(/^Date/);
  expect([earliest()?.textContent, date().min]).toEqual(['Earliest: Mon, Nov 30, 2026 at 11:59 PM', '2026-11-30']);
  fireEvent.change(date(), { target: { value: '2026-11-30' } });
  await userEvent.click(await screen.findByRole('radio', { name: '9:30 AM' }));
  jest.setSystemTime(new Date('2026-11-30T18:00:00Z'));
  fireEvent.focus(window);
  await waitFor(() => expect(date().min).toBe('2026-12-01'));
  expect([earliest(), screen.queryByRole('radio', { name: '9:30 AM' })]).toEqual([null, null]);
  // The calendar has moved to the new month.
  expect(await screen.findByText('December 2026')).toBeTruthy();
  await userEvent.click(book());
  expect(await screen.findByText('Date is in the past')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('rejects a day after the last bookable one before sending anything, and the calendar doesn’t offer it', async () => {
  const until = addDays(day, 1);
  world.doctor = { ...world.doctor, bookableUntil: until };
  const sent = serve(() => Response.json({}));
  await open();
  await fill();
  expect(screen.getByText(`You can book until ${formatDate(until)}.`)).toBeTruthy();
  const date = field(/^Date/);
  expect(date.max).toBe(until);
  fireEvent.change(date, { target: { value: addDays(until, 1) } });
  await userEvent.click(book());
  expect(await screen.findByText(`You can book until ${formatDate(until)}`)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(date, { target: { value: until } });
  await waitFor(() => expect(screen.queryByText(`You can book until ${formatDate(until)}`)).toBeNull());
  const grid = within(await screen.findByRole('grid', { name: 'Days' }));
  const dayButton = (of: string) =>
    grid.queryByRole<HTMLButtonElement>('button', { name: new RegExp(`^${formatDate(of)}`) });
  expect(dayButton(until)?.disabled).toBe(false);
  // The month after the last day can't be opened; within its month the next day can't be pressed.
  expect(dayButton(addDays(until, 1))?.disabled ?? true).toBe(true);
});

const otherDay = addDays(day, 1);
const choose = (time: string) => async () => userEvent.click(await screen.findByRole('radio', { name: time }));
const chooseDay = async (): Promise<void> => {
  fireEvent.change(field(/^Date/), { target: { value: otherDay } });
  await choose('9:00 AM')();
};
const choices: readonly [link: string, choice: string, choose: () => Promise<void>, day: string, time: string][] = [
  ['time', 'time', choose('10:00 AM'), day, '10:00 AM'],
  ['time', 'day', chooseDay, otherDay, '9:00 AM'],
  ['day', 'time', choose('10:00 AM'), day, '10:00 AM'],
  ['day', 'day', chooseDay, otherDay, '9:00 AM'],
  ['no slot', 'day', chooseDay, otherDay, '9:00 AM'],
];
const links: Readonly<Record<string, string>> = { time: `?date=${day}&time=09:30`, day: `?date=${day}` };
const isChosen = async (time: string) => (await screen.findByRole<HTMLInputElement>('radio', { name: time })).checked;

test.each(choices)(
  'after a link with a %s, a chosen %s is still chosen after a reload',
  async (link, _, pick, on, at) => {
    serve(() => Response.json({}));
    const address = await open(links[link]);
    await pick();
    const { search } = new URL(address(), 'http://localhost');
    cleanup();
    await open(search);
    expect([field(/^Date/).value, await isChosen(at)]).toEqual([on, true]);
  },
);

test('a link that is followed again has its own slot, with no time of another day', async () => {
  serve(() => Response.json({}));
  await open(links['time']);
  await chooseDay();
  cleanup();
  await open(links['time']);
  expect([field(/^Date/).value, await isChosen('9:30 AM')]).toEqual([day, true]);
  cleanup();
  await open(`?date=${otherDay}`);
  expect([field(/^Date/).value, await isChosen('9:30 AM')]).toEqual([otherDay, false]);
});
