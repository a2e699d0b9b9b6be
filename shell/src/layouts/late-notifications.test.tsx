import { notify } from '@clinic/app-kit';
import { act, render, screen } from '@testing-library/react';
import { LateNotifications } from './late-notifications.tsx';

jest.mock('./notifications.tsx', () => {
  throw new Error('Loading chunk later failed');
});

test('a message can be read although its file can’t be loaded', async () => {
  render(<LateNotifications />);
  expect(screen.queryByRole('status')).toBeNull();
  act(() => void notify.success('Dr. Grey is saved'));
  expect((await screen.findByText('Dr. Grey is saved')).textContent).toBe('Dr. Grey is saved ');
  expect(screen.queryByRole('button')).toBeNull();
});
