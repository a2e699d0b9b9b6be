import { everyMs, leastMs, lookOften } from './look-often.ts';

/** How the browser says whether the page is seen and the machine is online. */
function world({ visible = true, online = true }: { visible?: boolean; online?: boolean }): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden');
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
}

describe('looking for news', () => {
  const look = jest.fn(async () => undefined);
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    look.mockClear();
    world({});
    end = lookOften(look);
  });
  afterEach(() => {
    end();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('happens every few minutes, not for all pages at once', () => {
    jest.advanceTimersByTime(0.79 * everyMs);
    expect(look).not.toHaveBeenCalled();
    jest.advanceTimersByTime(0.42 * everyMs);
    expect(look).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1.21 * everyMs);
    expect(look.mock.calls.length).toBeGreaterThanOrEqual(2);
    end();
    jest.advanceTimersByTime(10 * everyMs);
    expect(look.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('waits while nobody sees the page, and is made up for when somebody turns to it', () => {
    world({ visible: false });
    jest.advanceTimersByTime(3 * everyMs);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(look).not.toHaveBeenCalled();
    world({ visible: true });
    document.dispatchEvent(new Event('visibilitychange'));
    expect(look).toHaveBeenCalledTimes(1);
    // Turning to and fro is no reason to ask again.
    jest.advanceTimersByTime(leastMs - 1);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('waits for the network', () => {
    world({ online: false });
    jest.advanceTimersByTime(3 * everyMs);
    expect(look).not.toHaveBeenCalled();
    world({ online: true });
    window.dispatchEvent(new Event('online'));
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('goes on after a failure', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    look.mockRejectedValueOnce(new Error('reset'));
    await jest.advanceTimersByTimeAsync(1.2 * everyMs);
    expect(warn).toHaveBeenCalledWith('Nobody could be asked for news', new Error('reset'));
    await jest.advanceTimersByTimeAsync(1.2 * everyMs);
    expect(look.mock.calls.length).toBeGreaterThanOrEqual(2);
  });
});
