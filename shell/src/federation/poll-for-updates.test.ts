import { everyMs, leastMs, pollForUpdates } from './poll-for-updates.ts';

/** Sets whether the page is visible and the machine is online. */
function setPage({ visible = true, online = true }: { visible?: boolean; online?: boolean }): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden');
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
}

describe('polling for updates', () => {
  const poll = jest.fn(async () => undefined);
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    poll.mockClear();
    setPage({});
    end = pollForUpdates(poll);
  });
  afterEach(() => {
    end();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('happens every few minutes, spread over pages', () => {
    jest.advanceTimersByTime(0.79 * everyMs);
    expect(poll).not.toHaveBeenCalled();
    jest.advanceTimersByTime(0.42 * everyMs);
    expect(poll).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1.21 * everyMs);
    expect(poll.mock.calls.length).toBeGreaterThanOrEqual(2);
    end();
    jest.advanceTimersByTime(10 * everyMs);
    expect(poll.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('pauses while the page is hidden, and catches up when it is visible again', () => {
    setPage({ visible: false });
    jest.advanceTimersByTime(3 * everyMs);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(poll).not.toHaveBeenCalled();
    setPage({ visible: true });
    document.dispatchEvent(new Event('visibilitychange'));
    expect(poll).toHaveBeenCalledTimes(1);
    // Switching back and forth doesn't poll again.
    jest.advanceTimersByTime(leastMs - 1);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(poll).toHaveBeenCalledTimes(1);
  });

  it('waits for the network', () => {
    setPage({ online: false });
    jest.advanceTimersByTime(3 * everyMs);
    expect(poll).not.toHaveBeenCalled();
    setPage({ online: true });
    window.dispatchEvent(new Event('online'));
    expect(poll).toHaveBeenCalledTimes(1);
  });

  it('continues after a failure', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    poll.mockRejectedValueOnce(new Error('reset'));
    await jest.advanceTimersByTimeAsync(1.2 * everyMs);
    expect(warn).toHaveBeenCalledWith('The registry could not be read', new Error('reset'));
    await jest.advanceTimersByTimeAsync(1.2 * everyMs);
    expect(poll.mock.calls.length).toBeGreaterThanOrEqual(2);
  });
});
