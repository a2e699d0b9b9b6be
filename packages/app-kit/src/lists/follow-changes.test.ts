import { followChanges } from './follow-changes.ts';

/** Replaces the browser's. */
class FakeSource extends EventTarget {
  static opened: FakeSource[] = [];
  closed = false;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.opened.push(this);
  }
  close(): void {
    this.closed = true;
  }
  send(type: string, data: object = {}): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

const latest = (): FakeSource => {
  const source = FakeSource.opened.at(-1);
  if (!source) throw new Error('nothing was opened');
  return source;
};

let reloads: (readonly string[] | undefined)[] = [];
let stop = (): void => undefined;
beforeEach(() => {
  jest.useFakeTimers();
  FakeSource.opened = [];
  reloads = [];
  Reflect.set(globalThis, 'EventSource', FakeSource);
  stop = followChanges('/appoinments/changes', (lists) => reloads.push(lists));
});
afterEach(() => {
  stop();
  Reflect.deleteProperty(globalThis, 'EventSource');
  jest.useRealTimers();
});

test('passes on which lists changed, and requests nothing while the stream is up', () => {
  latest().send('ready');
  latest().send('change', { lists: ['listAppointments'] });
  for (let heartbeat = 0; heartbeat < 20; heartbeat += 1) {
    jest.advanceTimersByTime(5_000);
    latest().send('beat');
  }
  expect(reloads).toEqual([['listAppointments']]);
  expect(FakeSource.opened).toHaveLength(1);
});

test('after a rejected or lost connection it polls every five seconds until the stream is back', () => {
  latest().dispatchEvent(new Event('error'));
  expect(FakeSource.opened[0]?.closed).toBe(true);
  jest.advanceTimersByTime(5_000);
  expect(reloads).toEqual([undefined]);
  latest().dispatchEvent(new Event('error'));
  jest.advanceTimersByTime(5_000);
  expect(reloads).toHaveLength(2);
  latest().send('ready');
  jest.advanceTimersByTime(10_000);
  expect(reloads).toHaveLength(2);
  expect(FakeSource.opened).toHaveLength(3);
});

test('a silent connection counts as lost', () => {
  latest().send('ready');
  jest.advanceTimersByTime(20_000);
  expect(FakeSource.opened[0]?.closed).toBe(true);
  expect(reloads).toEqual([undefined]);
});

test('without server-sent events it polls; stopped, it does nothing', () => {
  stop();
  expect(latest().closed).toBe(true);
  Reflect.deleteProperty(globalThis, 'EventSource');
  stop = followChanges('/appoinments/changes', (lists) => reloads.push(lists));
  jest.advanceTimersByTime(15_000);
  expect(reloads).toHaveLength(3);
  stop();
  jest.advanceTimersByTime(60_000);
  expect(reloads).toHaveLength(3);
});
