import type { SlotModule, SlotProps } from '@clinic/app-kit';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { contractVersion, type Registry } from '@clinic/contracts';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRegistryStore } from '../federation/registry.ts';
import { RemoteError } from '../federation/remote-error.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { remoteNamed } from '../testing/remotes.ts';
import { createSlot } from './create-slot.tsx';

const remote = (name: string, order?: number) =>
  remoteNamed(`mf-${name}`, { title: name, slots: order === undefined ? [] : [{ slot: 'overview', order }] });
const part = (name: string): SlotModule<'overview'> => ({
  contractVersion,
  Component: ({ from, to }) => <p>{`${name} from ${from} to ${to}`}</p>,
});

/** Loads every remote's part by default. */
function show(
  registry: Registry,
  load: (name: string, expose: string | undefined) => Promise<SlotModule<'overview'>> = async (name) => part(name),
) {
  const store = createRegistryStore(registry);
  const Slot = createSlot('overview', { registry: store, loadRemote: load as unknown as RemoteLoader });
  render(<Slot {...({ from: '2026-11-01', to: '2026-11-30' } satisfies SlotProps['overview'])} />);
  return store;
}

const shown = () =>
  screen.getAllByText(/from 2026/).map(({ textContent, parentElement }) => [textContent, parentElement?.dataset['mf']]);

beforeAll(prepareEnvironment);
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

test('a slot shows all published parts in order, each with its own styles and the page’s props', async () => {
  const requests: unknown[] = [];
  show({ remotes: [remote('users', 30), remote('public'), remote('clinic', 10)], away: [] }, async (name, expose) => {
    requests.push([name, expose]);
    return part(name);
  });
  await screen.findByText(/^mf-users/);
  expect(shown()).toEqual([
    ['mf-clinic from 2026-11-01 to 2026-11-30', 'mf-clinic'],
    ['mf-users from 2026-11-01 to 2026-11-30', 'mf-users'],
  ]);
  expect(requests).toEqual([
    ['mf-clinic', './slots/overview'],
    ['mf-users', './slots/overview'],
  ]);
});

test('an unavailable remote only affects its own part, and recovers with Retry', async () => {
  let up = false;
  const away = remote('clinic', 10);
  show({ remotes: [away, remote('users', 30)], away: [] }, async (name) => {
    if (name === 'mf-clinic' && !up) throw new RemoteError(away, 'away');
    return part(name);
  });
  expect(await screen.findByText('clinic can’t be loaded right now')).toBeTruthy();
  expect(await screen.findByText(/^mf-users/)).toBeTruthy();
  // Still unavailable: the panel returns.
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('clinic can’t be loaded right now')).toBeTruthy();
  up = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await screen.findByText(/^mf-clinic/)).parentElement).toBe(document.activeElement);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a part that breaks while shown affects nothing else', async () => {
  let mended = false;
  const fragile: SlotModule<'overview'> = {
    contractVersion,
    Component: () => {
      if (!mended) throw new Error('no such figure');
      return <p>mended from 2026</p>;
    },
  };
  show({ remotes: [remote('clinic', 10), remote('users', 30)], away: [] }, async (name) =>
    name === 'mf-clinic' ? fragile : part(name),
  );
  expect(await screen.findByText('clinic can’t be loaded right now')).toBeTruthy();
  expect(await screen.findByText(/^mf-users/)).toBeTruthy();
  mended = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('mended from 2026')).toBeTruthy();
});

test('a part built for another version of the contract asks for a reload', async () => {
  const other = remote('clinic', 10);
  show({ remotes: [other], away: [] }, async () => {
    throw new RemoteError(other, 'incompatible');
  });
  expect(await screen.findByText('We’ve just updated this part. Reload the page.')).toBeTruthy();
});

test('a remote added later appears without a reload, and until it has published something may be missing', async () => {
  const store = show({ remotes: [remote('clinic', 10)], away: ['mf-billing'] });
  await screen.findByText(/^mf-clinic/);
  expect(screen.getByText('Something may be missing')).toBeTruthy();
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ remotes: [remote('clinic', 10), remote('billing', 5)], away: [] }));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(/^mf-billing/);
  expect(shown().map(([text]) => text?.split(' ')[0])).toEqual(['mf-billing', 'mf-clinic']);
  expect(screen.queryByText('Something may be missing')).toBeNull();
  expect(store.get().away).toEqual([]);
});
