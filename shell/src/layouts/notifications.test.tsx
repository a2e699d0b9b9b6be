import { notify } from '@clinic/app-kit';
import { notifications } from '@clinic/app-kit/host';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LateNotifications } from './late-notifications.tsx';
import { Notifications } from './notifications.tsx';

beforeAll(prepareEnvironment);
beforeEach(() => notifications.set([]));
afterEach(() => jest.useRealTimers());

const undoOf = (text: string) => screen.queryByRole('button', { name: `Undo: ${text}` });

/** @returns how often Undo ran */
function open(text = 'Dr. Grey is saved') {
  const run = jest.fn<Promise<void>, []>(async () => undefined);
  render(
    <>
      <button type="button">On the page</button>
      <input aria-label="Name" />
      <Notifications />
    </>,
  );
  act(() => void notify.success(text, undefined, { label: 'Undo', run }));
  return run;
}

test('the first message is shown at once, and can be dismissed once its file has loaded', async () => {
  render(<LateNotifications />);
  act(() => void notify.success('Dr. Grey is saved'));
  expect(screen.getByRole('status').textContent).toBe('Dr. Grey is saved ');
  expect(await screen.findByRole('button', { name: 'Dismiss: Dr. Grey is saved', hidden: true })).toBeTruthy();
});

test('an action is announced with its message, and the message goes once it is done', async () => {
  const run = open();
  const announced = within(screen.getByRole('status'));
  expect(announced.getByText('Dr. Grey is saved')).toBeTruthy();
  await userEvent.click(announced.getByRole('button', { name: 'Undo: Dr. Grey is saved' }));
  expect(run).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Dr. Grey is saved')).toBeNull();
});

test('while the action is in progress its message stays, and it can’t be started twice', async () => {
  const run = open();
  let finish = (): void => undefined;
  run.mockReturnValue(new Promise((resolve) => (finish = resolve)));
  const undo = screen.getByRole('button', { name: 'Undo: Dr. Grey is saved' });
  await userEvent.click(undo);
  await userEvent.click(undo);
  expect(undo.getAttribute('aria-busy')).toBe('true');
  expect(run).toHaveBeenCalledTimes(1);
  await act(async () => finish());
  expect(undo.isConnected).toBe(false);
});

test('a message with an action stays twenty seconds, and as long as it has the pointer or the focus', () => {
  jest.useFakeTimers();
  open();
  const wait = (ms: number) => act(() => jest.advanceTimersByTime(ms));
  wait(19_900);
  act(() => undoOf('Dr. Grey is saved')?.focus());
  wait(60_000);
  expect(document.activeElement).toBe(undoOf('Dr. Grey is saved'));
  act(() => screen.getByRole('button', { name: 'On the page' }).focus());
  wait(19_900);
  expect(undoOf('Dr. Grey is saved')).toBeTruthy();
  wait(200);
  expect(undoOf('Dr. Grey is saved')).toBeNull();
});

test('Ctrl+Z presses the newest one, but not while somebody types or a dialog is open', async () => {
  const first = open();
  const undoable = (text: string) => {
    const run = jest.fn<Promise<void>, []>(async () => undefined);
    act(() => void notify.success(text, undefined, { label: 'Undo', run }));
    return run;
  };
  const second = undoable('The holiday is removed');
  const third = undoable('The block is removed');
  // Once the file with the keys has loaded.
  await waitFor(async () => {
    if (third.mock.calls.length === 0) await userEvent.keyboard('{Control>}z{/Control}');
    expect(third).toHaveBeenCalledTimes(1);
  });
  await userEvent.click(screen.getByRole('textbox'));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(second).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'On the page' }));
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(second).not.toHaveBeenCalled();
  dialog.remove();
  await userEvent.keyboard('{Control>}z{/Control}');
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(first).toHaveBeenCalledTimes(1);
});

test('the focus goes back to where it came from', async () => {
  open();
  await userEvent.click(screen.getByRole('textbox'));
  await userEvent.tab();
  expect(document.activeElement).toBe(undoOf('Dr. Grey is saved'));
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

test('it stays beside three messages that follow', () => {
  open();
  for (const text of ['one', 'two', 'three']) act(() => void notify.info(text));
  expect(undoOf('Dr. Grey is saved')).toBeTruthy();
});

test('dialogs end above the message as high as it is now: behind them its buttons are hidden', () => {
  let resized = (): void => undefined;
  const observed: Element[] = [];
  class Observer {
    constructor(onResize: () => void) {
      resized = onResize;
    }
    observe = (element: Element): void => void observed.push(element);
    disconnect = (): void => undefined;
  }
  const before = Reflect.get(globalThis, 'ResizeObserver') as unknown;
  Reflect.set(globalThis, 'ResizeObserver', Observer);
  let height = 171;
  const heights = jest
    .spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    .mockImplementation(() => ({ top: 0, bottom: 0, left: 0, right: 0, height }) as DOMRect);
  open();
  const room = () => document.documentElement.style.getPropertyValue('--ui-notified');
  expect(room()).toBe('171px');
  height = 127;
  expect(observed).toContain(screen.getByRole('status').parentElement);
  act(() => resized());
  expect(room()).toBe('127px');
  heights.mockRestore();
  Reflect.set(globalThis, 'ResizeObserver', before);
});
