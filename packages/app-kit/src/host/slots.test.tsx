import { act, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import type { PageModule, RemoteContext } from './remote-module.ts';
import { Slot, withSlots } from './slots.tsx';

type OpenSlot = RemoteContext['openSlot'];

function Page() {
  return (
    <ul>
      {['Napa', 'Ace'].map((name) => (
        <li key={name}>
          {name} <Slot name="medicine" props={{ id: name, name, available: true }} />
        </li>
      ))}
    </ul>
  );
}

async function open(openSlot: OpenSlot, Content: ComponentType = Page): Promise<void> {
  const { createPage }: Pick<PageModule, 'createPage'> = withSlots(Content);
  const Opened = await createPage({ name: 'mf-test', baseUrl: '/', openSlot });
  await act(async () => render(<Opened />));
}
const items = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent?.trim());

test('a slot opens once, when it is first shown, and every place gets its own props', async () => {
  const opened: string[] = [];
  const openSlot = (async (slot) => {
    opened.push(slot);
    return (({ name }: { readonly name: string }) => `[${name}]`) as unknown as ComponentType<object>;
  }) as OpenSlot;
  await open(openSlot, () => <p>No medicines</p>);
  expect(opened).toEqual([]);
  await open(openSlot);
  expect(items()).toEqual(['Napa [Napa]', 'Ace [Ace]']);
  expect(opened).toEqual(['medicine']);
});

test('the page stays as it is if the slot can’t be opened', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  await open(() => Promise.reject(new Error('the file is missing')));
  expect(items()).toEqual(['Napa', 'Ace']);
  expect(warn).toHaveBeenCalledWith('The slot medicine could not be opened', expect.any(Error));
  warn.mockRestore();
});

test('the page is there before the slot is', async () => {
  await open(() => new Promise(() => undefined));
  expect(items()).toEqual(['Napa', 'Ace']);
});

test('a place on a page without slots is empty', async () => {
  await act(async () => render(<Page />));
  expect(items()).toEqual(['Napa', 'Ace']);
});
