import { notify } from '@clinic/app-kit';
import { act, render, screen } from '@testing-library/react';
import { LateNotifications } from './late-notifications.tsx';

jest.mock('./notifications.tsx', () => {
  throw new Error('Loading chunk later failed');
});

test('a message can be read although its file can’t be loaded', async () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation();
  render(<LateNotifications />);
  expect(screen.getByRole('status').textContent).toBe('');
  await act(async () => void notify.success('Dr. Grey is saved'));
  expect(screen.getByRole('status').textContent).toBe('Dr. Grey is saved ');
  expect(screen.queryByRole('button')).toBeNull();
  expect(warned).toHaveBeenCalledTimes(1);
});
