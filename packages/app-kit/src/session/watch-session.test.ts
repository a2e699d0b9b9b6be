import { createStore } from '../host/store.ts';
import type { SessionState } from './session-store.ts';
import { watchSession } from './watch-session.ts';

const user = {
  email: 'amina@clinic.example',
  firstName: 'Amina',
  lastName: 'Khatun',
  role: 'patient',
  emailVerified: true,
} as const;

function see(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  document.dispatchEvent(new Event('visibilitychange'));
}

test('checks the session of a visible page, and only while somebody is signed in', async () => {
  jest.useFakeTimers();
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const store = createStore<SessionState>({ user: undefined, loading: true });
  const check = jest.fn(() => Promise.resolve());
  watchSession({ ...store, check });
  await jest.advanceTimersByTimeAsync(10_000);
  expect(check).not.toHaveBeenCalled();

  store.set({ user, loading: false });
  await jest.advanceTimersByTimeAsync(9_500);
  expect(check).toHaveBeenCalledTimes(3);

  see('hidden');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(check).toHaveBeenCalledTimes(3);
  see('visible');
  await jest.advanceTimersByTimeAsync(1);
  expect(check).toHaveBeenCalledTimes(4);

  // On failure it polls less often.
  check.mockRejectedValueOnce(new Error('unavailable'));
  await jest.advanceTimersByTimeAsync(3_000);
  await jest.advanceTimersByTimeAsync(14_000);
  expect(check).toHaveBeenCalledTimes(5);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(check).toHaveBeenCalledTimes(6);

  store.set({ user: undefined, loading: false, ended: 'logout' });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(check).toHaveBeenCalledTimes(6);
});
