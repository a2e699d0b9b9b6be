import { prefetchWhenIdle, restMs } from './prefetch-idle.ts';

/** What the browser reports about the network. */
function connection(value: { saveData?: boolean; effectiveType?: string } | undefined): void {
  Object.defineProperty(navigator, 'connection', { configurable: true, value });
}

describe('prefetching while the visitor reads', () => {
  /** jsdom can't fetch; loading-ahead.e2e.ts shows that the files reach the browser's cache. */
  const fetchFile = jest.fn((file: string) =>
    Promise.resolve({ ok: !file.includes('broken'), status: 503, arrayBuffer: () => Promise.resolve() }),
  );
  const realFetch = globalThis.fetch;
  const remote = (page: string) => ({
    baseUrl: '/mf/',
    entry: 'entry.js',
    pagePreload: { [page]: [`${page.slice(1)}.js`] },
    styles: [],
  });
  const pages = {
    find: (path: string) => ({
      path,
      handle: path === '/own' ? undefined : { remote: remote(path), isHere: () => false },
    }),
  };
  const fetched = () => fetchFile.mock.calls.map(([file]) => file);
  const doctors = ['/mf/entry.js', '/mf/broken.js', '/mf/ourDoctors.js'];
  let shown: () => void = () => undefined;
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    fetchFile.mockClear();
    globalThis.fetch = fetchFile as unknown as typeof fetch;
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    // jsdom has no layout: hidden elements are marked.
    HTMLElement.prototype.checkVisibility = function (this: HTMLElement) {
      return this.closest('[hidden]') === null;
    };
    connection(undefined);
    document.body.innerHTML = `
      <nav aria-label="Main"><a href="/">Home</a><a href="/own">Own</a><a href="/broken">Broken</a><a href="/ourDoctors">Doctors</a><a href="https://elsewhere.example/x">Out</a></nav>
      <nav aria-label="Dashboard" hidden><a href="/dash/users">Users</a></nav>
      <a href="/medicinestore">In the text</a>`;
    end = prefetchWhenIdle(pages, (listener) => {
      shown = listener;
      return () => undefined;
    });
  });
  afterEach(() => {
    end();
    globalThis.fetch = realFetch;
    jest.restoreAllMocks();
    jest.useRealTimers();
    connection(undefined);
  });

  it('fetches the files of the visible pages of the menu once, and continues after one that fails', async () => {
    await jest.advanceTimersByTimeAsync(restMs - 1);
    expect(fetched()).toEqual([]);
    await jest.advanceTimersByTimeAsync(10);
    expect(fetched()).toEqual(doctors);
    expect(fetchFile).toHaveBeenCalledWith('/mf/ourDoctors.js', { priority: 'low' });
    expect(console.warn).toHaveBeenCalledTimes(1);
  });

  it('waits again after each page that is shown', async () => {
    await jest.advanceTimersByTimeAsync(restMs - 100);
    shown();
    await jest.advanceTimersByTimeAsync(restMs - 100);
    expect(fetched()).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(fetched()).toEqual(doctors);
  });

  it.each([[{ saveData: true }], [{ effectiveType: '3g' }]])(
    'prefetches nothing if data is expensive or slow: %j',
    async (network) => {
      connection(network);
      await jest.advanceTimersByTimeAsync(10 * restMs);
      expect(fetched()).toEqual([]);
    },
  );

  it('stops', async () => {
    end();
    await jest.advanceTimersByTimeAsync(10 * restMs);
    expect(fetched()).toEqual([]);
  });
});
