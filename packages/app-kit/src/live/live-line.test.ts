/** @jest-environment node */
import { createStore, type Store } from '../host/store.ts';
import type { SessionState } from '../session/session-types.ts';
import { amina as user } from '../testing/session-users.ts';
import { followers } from './followers.ts';
import { startLine } from './live-line.ts';
import type { Tab } from './tab.ts';

/** The locks of a browser (Web Locks API), as far as the line uses them. */
class Locks {
  #holder: { readonly lost: (error: Error) => void } | undefined;
  #queue: (() => void)[] = [];

  request(_name: string, ...[options, work]: unknown[]): Promise<void> {
    const { signal, steal } = options as LockOptions;
    return new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        const holder = { lost: reject };
        this.#holder = holder;
        void Promise.resolve((work as () => unknown)()).then(() => {
          resolve();
          if (this.#holder !== holder) return;
          this.#holder = undefined;
          this.#queue.shift()?.();
        });
      };
      if (steal) {
        this.#holder?.lost(new Error('stolen'));
        grant();
      } else if (!this.#holder) grant();
      else {
        this.#queue.push(grant);
        signal?.addEventListener('abort', () => {
          if (!this.#queue.includes(grant)) return;
          this.#queue = this.#queue.filter((other) => other !== grant);
          reject(new Error('aborted'));
        });
      }
    });
  }
}

class Source extends EventTarget {
  closed = false;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
  }
  close(): void {
    this.closed = true;
  }
  send(type: string, data: object = {}, lastEventId = ''): void {
    if (!this.closed) this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
}

/** A browser with some tabs. */
function openBrowser({ withLocks = true } = {}) {
  const locks = new Locks();
  const inboxes = new Map<object, ((message: MessageEvent) => void)[]>();
  const sources: Source[] = [];
  const openTab = () => {
    const session: Store<SessionState> = createStore<SessionState>({ user, loading: false });
    let visible = true;
    let frozen = false;
    const changed: (() => void)[] = [];
    const reloads: (readonly string[])[] = [];
    const own: Source[] = [];
    const key = {};
    inboxes.set(key, []);
    const tab: Tab = {
      isVisible: () => visible,
      onVisibility: (call) => void changed.push(call),
      onLeave: () => undefined,
      locks: withLocks ? (locks as unknown as Tab['locks']) : undefined,
      openChannel: () =>
        ({
          postMessage(data: unknown) {
            if (frozen) return;
            for (const [other, inbox] of inboxes)
              if (other !== key)
                for (const handle of inbox) handle(new MessageEvent('message', { data: structuredClone(data) }));
          },
          addEventListener: (_type: string, handle: (message: MessageEvent) => void) =>
            void inboxes.get(key)?.push((message) => !frozen && handle(message)),
        }) as unknown as BroadcastChannel,
      openSource(url) {
        const source = new Source(url);
        sources.push(source);
        own.push(source);
        return source as unknown as EventSource;
      },
    };
    const check = jest.fn(async () => undefined);
    const refresh = jest.fn(async () => {
      session.set({ user: { ...user, role: 'doctor' }, loading: false });
      return true;
    });
    startLine(
      { session: { ...session, check, refresh, adopt: session.set }, reload: (lists) => reloads.push(lists) },
      tab,
    );
    return {
      session,
      check,
      refresh,
      reloads,
      own,
      show(is: boolean) {
        visible = is;
        for (const call of changed) call();
      },
      freeze() {
        frozen = true;
      },
    };
  };
  const open = (): Source[] => sources.filter(({ closed }) => !closed);
  return {
    openTab,
    sources,
    open,
    line(): Source {
      const [only, ...others] = open();
      expect(others).toEqual([]);
      if (!only) throw new Error('there is no line');
      return only;
    },
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  followers.clear();
  jest.useRealTimers();
});
const soon = (milliseconds = 1): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

test('one visible tab holds the line, and passes on what it receives to the other visible ones', async () => {
  const browser = openBrowser();
  const [first, second, hidden] = [browser.openTab(), browser.openTab(), browser.openTab()];
  hidden.show(false);
  await soon();
  expect(browser.line().url).toBe('/live');
  browser.line().send('live', { streams: ['watchSession'] });
  browser.line().send('change', { lists: ['listOrders'] }, 'a:1');
  for (const tab of [first, second]) expect(tab.reloads).toEqual([['listOrders']]);
  expect(hidden.reloads).toEqual([]);
  for (let seconds = 0; seconds < 100; seconds += 10) {
    await soon(10_000);
    browser.line().send('beat', {}, 'a:2');
  }
  expect(browser.sources).toHaveLength(1);
  for (const { check } of [first, second, hidden]) expect(check).not.toHaveBeenCalled();
});

test('when the leading tab is hidden or closed, another goes on where it was', async () => {
  const browser = openBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  browser.line().send('live', { streams: ['watchSession'] }, 'a:1,b:7');
  first.show(false);
  await soon();
  expect(second.own).toHaveLength(1);
  expect(browser.line().url).toBe('/live?after=a%3A1%2Cb%3A7');
  second.show(false);
  await soon();
  expect(browser.open()).toEqual([]);
  first.show(true);
  await soon();
  expect(browser.line()).toBe(first.own.at(-1));
});

test('a leader that is frozen loses the lead, and does not hold two lines when it wakes', async () => {
  const browser = openBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  browser.line().send('beat', {}, 'a:1');
  first.freeze();
  await soon(34_000);
  expect(second.own).toHaveLength(0);
  await soon(2_000);
  expect(second.own).toHaveLength(1);
  expect(browser.line()).toBe(second.own[0]);
});

test('new rights take one call in one tab, and the line opens again', async () => {
  const browser = openBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  browser.line().send('live', { streams: ['watchSession'] }, 'a:1');
  browser.line().send('session', {}, 'a:2');
  await soon(300);
  expect(first.refresh).toHaveBeenCalledTimes(1);
  expect(second.refresh).not.toHaveBeenCalled();
  expect(second.session.get().user?.role).toBe('doctor');
  expect(browser.line().url).toBe('/live?after=a%3A2');
  // A call of the page has renewed the session already.
  first.session.set({ user: { ...user, role: 'admin' }, loading: false });
  browser.line().send('session', {}, 'a:3');
  await soon(1_000);
  expect(first.refresh).toHaveBeenCalledTimes(1);
  expect(browser.line().url).toBe('/live?after=a%3A3');
});

test('after a log-out nobody holds a line', async () => {
  const browser = openBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  first.refresh.mockImplementationOnce(async () => {
    first.session.set({ user: undefined, loading: false, ended: 'everywhere' });
    return false;
  });
  browser.line().send('session');
  await soon(10_000);
  expect(second.session.get()).toEqual({ user: undefined, loading: false, ended: 'everywhere' });
  expect(browser.open()).toEqual([]);
});

test('while the line is lost, or a stream is missing, what is on screen is polled', async () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  const reload = jest.fn();
  followers.add({ stream: 'watchPharmacy', reload });
  browser.line().send('live', { streams: ['watchSession', 'watchPharmacy'] });
  await soon(20_000);
  expect(reload).not.toHaveBeenCalled();
  browser.line().send('live', { streams: ['watchSession'] });
  await soon(5_000);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(tab.check).not.toHaveBeenCalled();
  browser.line().dispatchEvent(new Event('error'));
  await soon(5_000);
  expect(tab.check).toHaveBeenCalledTimes(1);
  expect(browser.sources.length).toBeGreaterThan(1);
});

test('a silent line counts as lost', async () => {
  const browser = openBrowser();
  browser.openTab();
  browser.line().send('beat');
  await soon(24_000);
  expect(browser.sources).toHaveLength(1);
  await soon(2_000);
  expect(browser.sources).toHaveLength(2);
  expect(browser.open()).toHaveLength(1);
});

test('a tab that is shown learns from the leader what it missed, without a call', async () => {
  const browser = openBrowser();
  const [first, second] = [browser.openTab(), browser.openTab()];
  second.show(false);
  first.session.set({ user: { ...user, role: 'admin' }, loading: false });
  second.show(true);
  await soon();
  expect(second.session.get().user?.role).toBe('admin');
  expect(second.check).not.toHaveBeenCalled();
});

test('without locks each visible tab holds its own line', async () => {
  const browser = openBrowser({ withLocks: false });
  const [first] = [browser.openTab(), browser.openTab()];
  await soon();
  expect(browser.open()).toHaveLength(2);
  first.show(false);
  expect(browser.open()).toHaveLength(1);
});
