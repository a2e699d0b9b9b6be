import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { serveAs } from '@clinic/app-kit/test-gateway';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { appointmentStatuses } from '@clinic/svc-clinic/contract/transitions';
import { render, screen } from '@testing-library/react';
import { MovedFrom } from './moved-from.tsx';
import { ConfirmAppointment, StatusOfAppointment, StatusToRead } from './status-of-appointment.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';

prepareBrowser();
afterEach(() => jest.useRealTimers());

test('a visit’s badges, notes and actions agree with its status and time', async () => {
  // Noon at the clinic.
  pretendItIs('2026-11-26T06:00:00Z');
  serveAs(grey, () => Response.json([]));
  await session.load();
  const cases = combinations<Pick<Appointment, 'status' | 'date' | 'time' | 'movedFrom'>>({
    // The last is of a newer release.
    status: [...appointmentStatuses, 'Requested' as 'Pending'],
    date: ['2026-11-25', '2026-11-26', '2026-11-27'],
    time: ['11:59', '12:01'],
    movedFrom: [undefined, { date: '2026-11-24', time: '09:00' }],
  });
  for (const one of cases) {
    const of = appointment({ ...one, you: ['doctor'] });
    const over = `${of.date} ${of.time}` < '2026-11-26 12:00';
    const { container, unmount } = render(
      <QueryClientProvider client={queryClient}>
        <StatusToRead appointment={of} />
        <MovedFrom appointment={of} />
        <StatusOfAppointment appointment={of} />
        {of.status === 'Pending' && <ConfirmAppointment appointment={of} />}
      </QueryClientProvider>,
    );
    const shown = {
      badges: badgesIn(container),
      selected: screen.getByRole<HTMLSelectElement>('combobox').value,
      unanswered: screen.queryAllByText('Not confirmed before its time').length,
      confirm: screen.queryByRole('button', { name: /^Confirm/ }) !== null,
    };
    const pending = of.status === 'Pending';
    expect({ ...one, ...shown }).toEqual({
      ...one,
      // What was moved waits for an answer; nothing else does.
      badges: [of.status, ...(pending && of.movedFrom ? ['Moved'] : [])],
      selected: of.status,
      unanswered: pending && over ? 2 : 0,
      confirm: pending && !over,
    });
    unmount();
  }
});
