import type { SlotModule, SlotProps } from '@clinic/app-kit';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { contractVersion } from '@clinic/contracts';
import { act, render, screen } from '@testing-library/react';
import { lazy } from 'react';
import { createRegistryStore } from '../federation/registry.ts';
import { RemoteError } from '../federation/remote-error.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { remoteNamed } from '../testing/remotes.ts';
import { createSlot } from './create-slot.tsx';
import { EveryPage } from './every-page.tsx';

const remote = (name: string, slot: string, order: number) => remoteNamed(name, { slots: [{ slot, order }] });
const medicine: SlotProps['medicine'] = { id: 'a'.repeat(24), name: 'Napa', available: false };
const bell: SlotModule<'medicine'> = {
  contractVersion,
  Component: ({ name, available }) => <p>{`bell for ${name}, ${available ? 'here' : 'gone'}`}</p>,
};

/** A card with a slot that two remotes fill, `mf-late` first by its order. */
function showCard(load: (name: string) => Promise<SlotModule<'medicine'>>) {
  const registry = createRegistryStore({
    remotes: [remote('mf-messages', 'medicine', 20), remote('mf-late', 'medicine', 10)],
    away: ['mf-billing'],
  });
  const Slot = createSlot('medicine', { registry, loadRemote: load as unknown as RemoteLoader });
  return render(
    <article>
      <h2>Napa</h2>
      <Slot {...medicine} />
      <button type="button">Add to Cart</button>
    </article>,
  );
}
const words = () => screen.getByRole('article').textContent;

let reports: unknown[];
beforeAll(prepareEnvironment);
beforeEach(() => {
  reports = [];
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    reports.push(await new Response(init?.body).json());
    return new Response();
  });
});

afterEach(() => jest.restoreAllMocks());

test('parts come in order, each with its own styles and the props of the place', async () => {
  showCard(async (name) => (name === 'mf-late' ? { ...bell, Component: () => <p>first</p> } : bell));
  const part = await screen.findByText('bell for Napa, gone');
  expect(part.parentElement?.dataset['mf']).toBe('mf-messages');
  expect(words()).toBe('Napafirstbell for Napa, goneAdd to Cart');
});

test('a remote that is unavailable leaves the page as it is, and is reported to operators', async () => {
  showCard(async (name) => {
    if (name === 'mf-late') throw new RemoteError(remote('mf-late', 'medicine', 10), 'away');
    return bell;
  });
  await screen.findByText('bell for Napa, gone');
  expect(words()).toBe('Napabell for Napa, goneAdd to Cart');
  expect(reports).toMatchObject([{ kind: 'away', remote: 'mf-late', version: '1.0.0' }]);
});

test('a remote that hangs leaves the page as it is, also when its part waits for a file of its own', async () => {
  const Waiting = lazy(() => new Promise<{ default: () => null }>(() => undefined));
  showCard((name) =>
    name === 'mf-late' ? new Promise(() => undefined) : Promise.resolve({ ...bell, Component: Waiting }),
  );
  expect(words()).toBe('NapaAdd to Cart');
  await act(async () => undefined);
  expect(words()).toBe('NapaAdd to Cart');
});

test('a part that breaks takes nothing else with it, and is reported to operators', async () => {
  const broken: SlotModule<'medicine'> = {
    contractVersion,
    Component: () => {
      throw new TypeError('no such medicine');
    },
  };
  showCard(async (name) => (name === 'mf-late' ? broken : bell));
  await screen.findByText('bell for Napa, gone');
  expect(words()).toBe('Napabell for Napa, goneAdd to Cart');
  expect(reports).toMatchObject([{ kind: 'broken', remote: 'mf-late', error: 'TypeError' }]);
});

test('every page shows its parts in order and nothing of one that breaks', async () => {
  const registry = createRegistryStore({
    remotes: [remote('mf-b', 'every-page', 20), remote('mf-c', 'every-page', 15), remote('mf-a', 'every-page', 10)],
    away: [],
  });
  const load = async (name: string): Promise<SlotModule<'every-page'>> => ({
    contractVersion,
    Component: () => {
      if (name === 'mf-c') throw new Error('no offers');
      return <p>{`offer of ${name}`}</p>;
    },
  });
  render(<EveryPage registry={registry} loadRemote={load as unknown as RemoteLoader} />);
  await screen.findByText('offer of mf-a');
  expect(screen.getAllByText(/offer/).map(({ textContent }) => textContent)).toEqual([
    'offer of mf-a',
    'offer of mf-b',
  ]);
});
