import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DemoMail, FullMail } from '../calls.ts';
import { openPage, paged } from '../testing.tsx';

const mail: DemoMail = {
  _id: 'a'.repeat(24),
  to: 'patient@clinic.example',
  from: 'clinic@clinic.example',
  subject: 'Your appointment is booked',
  messageId: '<1@clinic.example>',
  receivedAt: '2026-11-23T04:00:00.000Z',
};
const full: FullMail = {
  ...mail,
  text: 'Cancel it: https://clinic.example/message-actions/x',
  html: '<p>Cancel it</p>',
  attachments: [{ name: 'invite.ics', type: 'text/calendar', content: '' }],
};
const list = '/messages/mailbox';

test('anyone reads a mail in both its forms, on any page of the list', async () => {
  const older = { ...mail, _id: 'b'.repeat(24), subject: 'Your order is on its way' };
  const { address } = await openPage('/mailbox', {
    [`GET ${list}?limit=20`]: () => paged([mail], { total: 21, next: `${list}?limit=20&cursor=abc` }),
    [`GET ${list}?limit=20&cursor=abc`]: () => paged([older]),
    [`GET ${list}/${older._id}`]: () => ({ json: { ...full, ...older } }),
  });
  await screen.findByText('This is a demo');
  await screen.findByRole('button', { name: /^Your appointment is booked/ });
  expect(screen.getByText('No email is open')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /Next/ }));
  await userEvent.click(await screen.findByRole('button', { name: /^Your order is on its way/ }));
  const article = await screen.findByRole('article', { name: 'Your order is on its way' });
  expect(address()).toBe(`/mailbox?cursor=abc&mail=${older._id}`);
  expect(document.activeElement?.textContent).toBe('Your order is on its way');
  expect(screen.queryByText('No email is open')).toBeNull();
  expect(within(article).getByText('invite.ics')).toBeTruthy();
  expect(within(article).getByRole('link').getAttribute('href')).toBe('https://clinic.example/message-actions/x');
  const frame = within(article).getByTitle<HTMLIFrameElement>('Your order is on its way, as HTML');
  await waitFor(() => expect(frame.contentDocument?.body.textContent).toBe('Cancel it'));
  await userEvent.click(screen.getByRole('button', { name: 'All emails' }));
  expect(address()).toBe('/mailbox?cursor=abc');
});

test('says so if a mail no longer exists, and keeps the list', async () => {
  await openPage(`/mailbox?mail=${'c'.repeat(24)}`, {
    [`GET ${list}?limit=20`]: () => paged([mail]),
    [`GET ${list}/${'c'.repeat(24)}`]: () => problemAnswer('not_found'),
  });
  await screen.findByText('This email isn’t here any more');
  await screen.findByRole('button', { name: /^Your appointment is booked/ });
});
