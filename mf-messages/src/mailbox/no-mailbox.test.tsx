import { screen } from '@testing-library/react';
import { openPage } from '../testing.tsx';

beforeAll(() => {
  // Before the page reads it for the first time.
  const config = document.querySelector('#config') as HTMLElement;
  config.textContent = config.textContent.replace('"demoMode":true', '"demoMode":false');
});

test('a real clinic has no demo mailbox', async () => {
  const { clinic } = await openPage('/mailbox', {});
  await screen.findByText('There’s no demo mailbox here');
  expect(clinic.server.seen.filter(({ url }) => url.includes('mailbox'))).toEqual([]);
});
