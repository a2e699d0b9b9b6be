import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, paged } from './testing.tsx';

test.each([
  ['/dash/messages', '/messages', 'Error loading messages', 'No messages yet'],
  ['/dash/messages/webhooks', '/messages/webhooks', 'Error loading webhooks', 'No webhooks yet'],
  ['/mailbox', '/messages/mailbox', 'We couldn’t open the mailbox', 'No emails yet'],
  ['/dash/notifications', '/messages/mine', 'Error loading your messages', 'No messages yet'],
])('%s says that its list couldn’t be loaded, and after Retry that it is empty', async (page, list, failure, empty) => {
  let up = false;
  const answers = {
    [`GET ${list}?limit=20`]: () => (up ? paged([]) : problemAnswer('internal')),
    'GET /messages/address': () => ({ json: { email: 'ann@mail.example' } }),
    'GET /messages/preferences': () => problemAnswer('internal'),
  };
  await openPage(page, answers, 'admin');
  await screen.findByText(failure);
  if (page === '/dash/notifications') await screen.findByText('Error loading your preferences');
  up = true;
  await userEvent.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
  await screen.findByText(empty);
});
