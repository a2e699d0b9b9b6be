import type { Role } from '@clinic/contracts';
import { cleanup, screen } from '@testing-library/react';
import { openStore, add, cart } from './store-scenario.tsx';

async function nextVisitor(role: Role | undefined): Promise<void> {
  cleanup();
  await openStore(role);
}

test('each account has its own cart: the next user of the browser has theirs, and the first finds theirs again', async () => {
  await openStore('patient');
  await add('Aspirin');
  await nextVisitor(undefined);
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await nextVisitor('doctor');
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await add('Ibuprofen');
  await nextVisitor('patient');
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  expect(cart().getByText('Aspirin')).toBeTruthy();
  expect(JSON.stringify(localStorage)).not.toContain('patient@clinic.example');
});

test('what a visitor collects before the login belongs to the account afterwards, and to nobody after the log-out', async () => {
  await openStore('patient');
  await add('Aspirin');
  await nextVisitor(undefined);
  await add('Ibuprofen');
  await nextVisitor('patient');
  expect(await screen.findByRole('heading', { name: 'Cart (2)' })).toBeTruthy();
  await nextVisitor(undefined);
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
});

test('an account that hasn’t been back for a month leaves no cart behind', async () => {
  await openStore('patient');
  await add('Aspirin');
  const [place = ''] = Object.keys(localStorage).filter((key) => key.startsWith('pharmacy-cart:'));
  cleanup();
  const kept = JSON.parse(localStorage.getItem(place) ?? '') as { changedAt: number };
  localStorage.setItem(place, JSON.stringify({ ...kept, changedAt: kept.changedAt - 31 * 86_400_000 }));
  await nextVisitor(undefined);
  expect(Object.keys(localStorage)).not.toContain(place);
});
