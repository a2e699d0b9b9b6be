import { notifications, queryClient, session } from '@clinic/app-kit/host';
import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemResponse, serveAs, type PageRequest, type SignedIn } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { ann, appointment, doctor, grey, nadia } from '../testing/records.ts';
import { CalendarPage } from '../week-calendar/calendar-page.tsx';

const date = '2100-01-05';
const visit = (letter: string, patientname: string, more: Partial<CalendarAppointment> = {}): CalendarAppointment => ({
  ...appointment({ _id: letter.repeat(24), patientname, date, time: `0${letter}:00`, status: 'Confirmed' }),
  ends: '23:00',
  outside: false,
  ...more,
});
const answeredAt = '2100-01-01T00:00:00Z';
const question = { id: 'smoke', text: 'Do you smoke?', kind: 'yes or no', required: false };

let asked: string[];
let refuse: boolean;
const printed = jest.fn();

prepareBrowser({ wide: true });
beforeEach(() => {
  queryClient.clear();
  act(() => notifications.set([]));
  asked = [];
  refuse = false;
  printed.mockReset();
  globalThis.print = printed;
});

/** @param you - what the reader is to each of the visits */
async function openDay(who: SignedIn, you: CalendarAppointment['you']): Promise<void> {
  const day = { date, hours: [], off: [], slots: [] };
  const visits = [visit('1', 'Ann Lee', { answeredAt }), visit('2', 'Ben Kay'), visit('3', 'Cy Roe', { answeredAt })];
  serveAs(who, ({ path }: PageRequest) => {
    if (path.startsWith('/doc-pharma/')) return Response.json([doctor]);
    if (path === '/doctors') return Response.json([doctor]);
    if (path === '/doctors/calendar')
      return Response.json({
        doctors: [{ ...doctor, anyTime: false, days: [day] }],
        appointments: visits.map((one) => ({ ...one, you })),
        more: false,
        complete: true,
      });
    asked.push(path);
    if (refuse) return problemResponse('unavailable', 503);
    const one = visits.find(({ _id }) => path.includes(_id));
    return Response.json({
      ...one,
      questions: [question],
      answers: [{ id: 'smoke', answer: [`${one?.patientname} smokes`] }],
      open: false,
    });
  });
  await session.load();
  await renderRoutes([{ path: '/dash/calendar', Component: CalendarPage }], `/dash/calendar?date=${date}&view=day`);
  await screen.findByRole('button', { name: /^Cy Roe/ });
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Print' }));

test.each([
  ['the doctor', grey, ['doctor'], true],
  ['an admin', nadia, [], true],
  ['the reception', { ...ann, rights: ['reception'] }, [], false],
  ['a receptionist who is a patient here', { ...ann, rights: ['reception'] }, ['patient'], false],
] as const)('a day that %s prints has the answers: only where they may read them', async (_who, who, you, reads) => {
  await openDay({ ...who } as SignedIn, [...you]);
  await press();
  await waitFor(() => expect(printed).toHaveBeenCalledTimes(1));
  expect(asked).toEqual(reads ? ['1', '3'].map((one) => `/appoinments/${one.repeat(24)}/questions`) : []);
  expect(screen.queryAllByText(/ smokes$/).map((one) => one.textContent)).toEqual(
    reads ? ['Ann Lee smokes', 'Cy Roe smokes'] : [],
  );
  // On paper only: they leave the page with it.
  act(() => void fireEvent(globalThis as unknown as Window, new Event('afterprint')));
  await waitFor(() => expect(screen.queryByText('Ann Lee smokes')).toBeNull());
});

test('without its answers nothing is printed, and the page says so', async () => {
  refuse = true;
  await openDay(grey, ['doctor']);
  await press();
  await waitFor(() => expect(shownNotifications().join()).toMatch(/Nothing was printed/));
  expect(printed).not.toHaveBeenCalled();
});
