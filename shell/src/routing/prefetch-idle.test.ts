import { prefetchWhenIdle, restMs } from './prefetch-idle.ts';

/** What the browser reports about the network. */
function connection(value: { saveData?: boolean; effectiveType?: string } | undefined): void {
  Object.defineProperty(navigator, 'connection', { configurable: true, value });
}

describe('prefetching while the visitor reads', () => {
  const prefetch = jest.fn((pathname: string) =>
    pathname === '/broken' ? Promise.reject(new Error('away')) : Promise.resolve(),
  );
  const pages = { routes: () => [], prepare: () => undefined, prefetch };
  const asked = () => prefetch.mock.calls.map(([pathname]) => pathname);
  let shown: () => void = () => undefined;
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    prefetch.mockClear();
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    // jsdom has no layout: hidden elements are marked.
    HTMLElement.prototype.checkVisibility = function (this: HTMLElement) {
      return this.closest('[hidden]') === null;
    };
    connection(undefined);
    document.body.innerHTML = `
      <nav aria-label="Main"><a href="/">Home</a><a href="/broken">Broken</a><a href="/ourDoctors">Doctors</a><a href="https://elsewhere.example/x">Out</a></nav>
      <nav aria-label="Dashboard" hidden><a href="/dash/users">Users</a></nav>
      <a href="/medicinestore">In the text</a>`;
    end = prefetchWhenIdle(pages, (listener) => {
      shown = listener;
      return () => undefined;
    });
  });
  afterEach(() => {
    end();
    jest.restoreAllMocks();
    jest.useRealTimers();
    connection(undefined);
  });

  it('prefetches the visible pages of the menu, and continues after one that fails', async () => {
    await jest.advanceTimersByTimeAsync(restMs - 1);
    expect(asked()).toEqual([]);
    await jest.advanceTimersByTimeAsync(10);
    expect(asked()).toEqual(['/broken', '/ourDoctors']);
    expect(prefetch).toHaveBeenCalledWith('/ourDoctors', 'unasked');
    expect(console.warn).toHaveBeenCalledTimes(1);
  });

  it('waits again after each page that is shown', async () => {
    await jest.advanceTimersByTimeAsync(restMs - 100);
    shown();
    await jest.advanceTimersByTimeAsync(restMs - 100);
    expect(asked()).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(asked()).toEqual(['/broken', '/ourDoctors']);
  });

  it.each([[{ saveData: true }], [{ effectiveType: '3g' }]])(
    'prefetches nothing if data is expensive or slow: %j',
    async (network) => {
      connection(network);
      await jest.advanceTimersByTimeAsync(10 * restMs);
      expect(asked()).toEqual([]);
    },
  );

  it('stops', async () => {
    end();
    await jest.advanceTimersByTimeAsync(10 * restMs);
    expect(asked()).toEqual([]);
  });
});
