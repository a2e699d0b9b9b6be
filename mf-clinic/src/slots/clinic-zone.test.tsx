import { cleanup, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MyAppointmentsPage } from '../appointments/my-appointments-page.tsx';
import { offer, setUpWaitlist, show } from '../testing/waitlist.tsx';
import { OpenOffers } from '../waitlist/open-offers.tsx';
import { WaitlistPage } from '../waitlist/waitlist-page.tsx';
import { CalendarPage } from '../week-calendar/calendar-page.tsx';
import { TimeChoice } from './time-choice.tsx';

setUpWaitlist();

const readerIsIn = (timeZone: string) =>
  jest
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);

const nothing = () => Response.json([], { headers: { 'x-total-count': '0' } });
const doctor = {
  _id: 'd'.repeat(24),
  name: 'Dr. Grey',
  email: 'grey@clinic.example',
  specialization: '',
  location: '',
};
const free = {
  times: ['09:00'],
  placeAt: () => undefined,
  anyTime: false,
  full: false,
  loading: false,
  error: undefined,
  retry: () => undefined,
  replace: () => undefined,
};
const pages: readonly (readonly [string, () => ReactElement, 'patient' | 'doctor', string | RegExp])[] = [
  [
    'a choice of times',
    () => (
      <TimeChoice date="2100-01-05" free={free} value="" onChange={() => undefined} error={undefined} taken={false} />
    ),
    'patient',
    /^Time/,
  ],
  ['an offer', () => <OpenOffers />, 'patient', /^Free for you until/],
  ['the waitlist', () => <WaitlistPage />, 'patient', 'You aren’t on a waitlist.'],
  ['appointments', () => <MyAppointmentsPage />, 'patient', 'All My Appoinments'],
  ['the calendar', () => <CalendarPage />, 'doctor', 'Today'],
];

test.each(pages)('%s names the clinic’s zone to a reader whose own differs, and to nobody else', async (...page) => {
  const [, element, role, shown] = page;
  const answers = {
    'GET /waitlist/offers': () => Response.json([offer()]),
    'GET /waitlist': nothing,
    'GET /appoinments': nothing,
    [`GET /doc-pharma/ann%40mail.example`]: () => Response.json([doctor]),
    'GET /doctors/calendar': () =>
      Response.json({
        doctors: [{ ...doctor, anyTime: false, days: [] }],
        appointments: [],
        more: false,
        complete: true,
      }),
  };
  const hint = () => screen.queryByText('Times are by the clinic’s clock (Asia/Dhaka), not by yours.');
  readerIsIn('America/New_York');
  await show(element(), answers, { role });
  await waitFor(() => expect(hint()).toBeTruthy());
  cleanup();
  readerIsIn('Asia/Dhaka');
  await show(element(), answers, { role });
  expect((await screen.findAllByText(shown)).length).toBeGreaterThan(0);
  expect(hint()).toBeNull();
});
