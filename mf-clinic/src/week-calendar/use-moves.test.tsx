import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { problemResponse, serveAs } from '@clinic/app-kit/test-gateway';
import { formatDate } from '@clinic/contracts';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import '../setup.ts';
import { prepareBrowser } from '../testing/browser.ts';
import { monday, tuesday } from '../testing/calendar.ts';
import { appointment, grey } from '../testing/records.ts';
import { useMoves } from './use-moves.ts';

prepareBrowser();

const visit = (letter: string, patientname: string): CalendarAppointment => ({
  ...appointment({ _id: letter.repeat(24), patientname, date: monday, time: '09:00', status: 'Confirmed' }),
  ends: '09:30',
  outside: false,
});

test('of several moves in flight each that is rejected is told', async () => {
  const answers = new Map<string, (response: Response) => void>();
  serveAs(grey, ({ path }) => new Promise((resolve) => answers.set(path, resolve)));
  await session.load();
  const told: string[] = [];
  const { result } = renderHook(() => useMoves((text) => void told.push(text)), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  });
  const visits = [visit('1', 'Ann'), visit('2', 'Ben')];
  for (const one of visits) act(() => result.current.move(one, { date: tuesday, time: '09:30', until: '10:00' }));
  await waitFor(() => expect(answers.size).toBe(2));
  for (const answer of answers.values()) act(() => answer(problemResponse('slot_taken', 409)));
  await waitFor(() =>
    expect(told).toEqual(
      visits.map(({ patientname }) => `${patientname} is back on ${formatDate(monday)} at 9:00 AM.`),
    ),
  );
});
