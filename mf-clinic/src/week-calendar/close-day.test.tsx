import { session } from '@clinic/app-kit/host';
import { serveAs, type SignedIn } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { calendarOf, dayOf, monday } from '../testing/calendar.ts';
import { ann, doctor, nadia } from '../testing/records.ts';
import { CalendarPage } from './calendar-page.tsx';

prepareBrowser({ wide: true });

const reception: SignedIn = { ...ann, rights: ['reception'] };
const morning = { from: '00:00', until: '13:00' };
const inside = { from: '14:00', until: '15:00' };
const blockOf = (span: typeof morning) => ({ ...span, exception: { date: monday, ...span } });

/** A doctor's day that is closed, and one that is blocked in part, beside each other. */
async function open(who: SignedIn): Promise<{ readonly sent: unknown[] }> {
  const sent: unknown[] = [];
  const { doctors, ...calendar } = calendarOf([dayOf(monday, true, { hours: [], slots: [], closed: 'day off' })], []);
  const other = {
    ...doctors[0],
    _id: 'e'.repeat(24),
    name: 'Dr. House',
    email: 'house@clinic.example',
    days: [dayOf(monday, true, { blocks: [blockOf(morning), blockOf(inside)] })],
  };
  const away = {
    ...other,
    _id: 'f'.repeat(24),
    name: 'Dr. Wilson',
    email: 'wilson@clinic.example',
    days: [dayOf(monday, true, { hours: [], slots: [], closed: 'no hours' })],
  };
  serveAs(who, ({ method, path, body }) => {
    if (path === '/doctors/calendar') return Response.json({ ...calendar, doctors: [...doctors, other, away] });
    if (method !== 'PATCH') return Response.json([]);
    sent.push({ path, body });
    return Response.json({ changed: true });
  });
  await session.load();
  await renderRoutes([{ path: '*', Component: CalendarPage }], `/?view=day&date=${monday}`);
  return { sent };
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

test.each([
  ['an admin', nadia],
  ['the reception', reception],
])('%s opens a closed day in the day by doctor, whose other absent doctors have no column', async (_who, person) => {
  const { sent } = await open(person);
  await press('Day off: take it back');
  expect(screen.getByText('Not here on this day: Dr. Wilson.')).toBeTruthy();
  expect(within(screen.getByRole('dialog', { name: 'Day off' })).getByText(/book Dr\. Grey then/)).toBeTruthy();
  await press('Take the day off back');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([{ path: `/doctors/${doctor._id}/day`, body: { date: monday, closed: false } }]);
});

test('the reception opens hours that are closed until a time, but no other blocked time', async () => {
  const { sent } = await open(reception);
  await press(/^Blocked, 2:00/);
  expect(screen.queryByRole('dialog')).toBeNull();
  await press(/^Blocked, 12:00 AM – 1:00 PM/);
  const dialog = within(screen.getByRole('dialog', { name: 'Blocked time' }));
  expect(dialog.getByText(/, until 1:00 PM\. Patients will be able to book Dr\. House then/)).toBeTruthy();
  await press('Unblock');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([
    { path: `/doctors/${'e'.repeat(24)}/day`, body: { date: monday, closed: false, until: '13:00' } },
  ]);
});
