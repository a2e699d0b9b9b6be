import { shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import type { Role } from '@clinic/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openRoutes, paged, readFrom, sentMessage as message, type Opened } from '../testing.tsx';
import appointmentSlot from './appointment-slot.tsx';
import orderSlot from './order-slot.tsx';

const id = 'a'.repeat(24);
const name = 'Dr. Grey, Tue, Nov 24, 2026 at 9:30 AM';
const toAnn = { to: { email: 'ann@mail.example' }, attempts: 1 };

function show(role: Role, own: boolean, answers: TestClinic['answers'] = {}): Promise<Opened> {
  const slots = (
    <>
      <appointmentSlot.Component id={id} name={name} own={own} status="Confirmed" />
      <orderSlot.Component id={id} name="order #4F09A1" own={own} status="pending" />
    </>
  );
  return openRoutes([{ path: '/', element: slots }], '/', answers, role);
}
const open = async (what: string): Promise<HTMLElement> => {
  await userEvent.click(await screen.findByRole('button', { name: `Messages: ${what}` }));
  return screen.findByRole('dialog');
};
const lines = (dialog: HTMLElement): string[] =>
  within(dialog)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '));

test('a patient sees what they were sent about an appointment, older messages on request', async () => {
  const first = `/messages/mine?appointment=${id}&limit=20`;
  const older = `${first}&cursor=abc`;
  const { clinic } = await show('patient', true, {
    [`GET ${first}`]: () =>
      paged(
        [
          {
            ...message,
            _id: '1'.repeat(24),
            kind: 'appointment-reminder',
            status: 'pending',
            dueAt: '2100-11-24T01:30:00.000Z',
            sentAt: undefined,
          },
          { ...message, status: 'suppressed', reason: 'bounced', sentAt: undefined },
        ],
        { total: 3, next: older },
      ),
    [`GET ${older}`]: () => paged([{ ...message, _id: '2'.repeat(24) }]),
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  const dialog = await open(name);
  await within(dialog).findByText('Appointment reminder');
  expect(within(dialog).getByRole('heading').textContent).toBe('Messages about this appointment');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Show older messages' }));
  await waitFor(() => expect(lines(dialog)).toHaveLength(3));
  expect(lines(dialog)).toEqual([
    'Appointment reminderScheduledFor Nov 24, 2100, 7:30 AM',
    'Appointment bookedNot sentNov 23, 2026, 10:00 AM. Your email address doesn’t accept our mail',
    'Appointment bookedSentNov 23, 2026, 10:00 AM',
  ]);
  expect(readFrom(clinic, '/messages/mine')).toEqual([first, older]);
});

test('an admin sends a failed message about an order again', async () => {
  let status = 'failed';
  await show('admin', false, {
    [`GET /messages?order=${id}&limit=20`]: () => paged([{ ...message, ...toAnn, kind: 'order-placed', status }]),
    [`POST /messages/${message._id}/resend`]: () => {
      status = 'pending';
      return { json: { ...message, ...toAnn, status } };
    },
  });
  const dialog = await open('order #4F09A1');
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Send again: Order placed' }));
  await within(dialog).findByText('Pending');
  expect(shownNotifications()).toEqual(['The message will be sent again']);
  expect(within(dialog).queryByRole('button', { name: 'Send again: Order placed' })).toBeNull();
});

test('says that there is nothing yet, and that it couldn’t be loaded, with Retry', async () => {
  let up = false;
  await show('patient', true, {
    [`GET /messages/mine?order=${id}&limit=20`]: () => (up ? paged([]) : problemAnswer('internal')),
  });
  const dialog = await open('order #4F09A1');
  await within(dialog).findByText('Error loading the messages');
  up = true;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }));
  await within(dialog).findByText('No messages yet');
});

test('shows nothing to staff who may not read the messages, and asks nothing', async () => {
  const { clinic } = await show('doctor', false);
  expect(document.body.textContent).toBe('');
  expect(clinic.server.seen.filter(({ url }) => url.startsWith('/messages'))).toEqual([]);
});
