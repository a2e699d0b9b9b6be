import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import { combinations } from '@clinic/app-kit/test-combinations';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { attendanceStates, hasBegun, isWaiting } from '@clinic/svc-clinic/contract/attendance';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { appointmentStatuses } from '@clinic/svc-clinic/contract/transitions';
import { render, screen } from '@testing-library/react';
import { CancelButton, FollowingButton, RescheduleButton } from '../dialogs/dialog-buttons.tsx';
import { DialogsContext } from '../dialogs/use-appointment-dialogs.ts';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';
import { canDecide, mayMove, useActors } from './may-change.ts';

const now = { date: '2026-11-26', time: '12:00' };
const instant = '2026-11-26T06:00:00Z';
prepareBrowser();
afterEach(() => jest.useRealTimers());

function Choices({ appointment: one }: { readonly appointment: Appointment }) {
  return (
    <DialogsContext value={() => undefined}>
      <RescheduleButton appointment={one} />
      <CancelButton appointment={one} />
      <FollowingButton appointment={one} />
      {mayMove(one, useActors(one), now) && <button type="button">Drag</button>}
    </DialogsContext>
  );
}

test('at any time and in any state, a visit that waits for its doctor or its time has the buttons that the service accepts', async () => {
  pretendItIs(instant);
  serveAs(grey, () => Response.json([]));
  await session.load();
  for (const { state, status, date, time, you } of combinations({
    state: [...attendanceStates],
    status: [...appointmentStatuses],
    date: ['2026-11-25', '2026-11-26', '2026-11-27'],
    time: ['11:59', '12:01'],
    you: ['doctor' as const, 'patient' as const],
  })) {
    const coming = `${date} ${time}` > '2026-11-26 12:00';
    const inTime = date > now.date;
    const one = appointment({
      status,
      date,
      time,
      changeUntil: inTime ? '2026-11-27T00:00:00Z' : '2026-11-26T04:00:00Z',
      you: [you],
      series: { id: 'e'.repeat(24), number: 1, of: 3 },
      attendance: { state, since: instant },
    });
    const { unmount } = render(
      <QueryClientProvider client={queryClient}>
        <Choices appointment={one} />
      </QueryClientProvider>,
    );
    const buttons = screen.queryAllByRole('button').map(({ textContent }) => textContent);
    const accepted = status !== 'Cancelled' && !hasBegun(state) && (you === 'doctor' || inTime);
    const offered = accepted && (coming || isWaiting(state));
    expect([one, buttons]).toEqual([one, offered ? ['Reschedule', 'Cancel', 'This and following', 'Drag'] : []]);
    if (you === 'doctor')
      expect([one, canDecide(one, { user: grey, role: 'doctor', rights: [] }, now)]).toEqual([one, offered]);
    unmount();
  }
});
