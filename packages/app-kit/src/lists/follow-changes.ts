/** Milliseconds without a message after which the connection counts as lost; the server sends a heartbeat every 5 s. */
const silenceLimit = 15_000;

/** Milliseconds between attempts to reconnect, each of which also reloads everything. */
const retryEvery = 5_000;

/**
 * Listens to a change stream. While it is down, polls every few seconds: everything is loaded again, which also renews an
 * expired session for the next attempt.
 *
 * @param url - of the stream
 * @param reload - loads these lists again; all of them if none are named
 * @returns a function that stops it
 */
export function followChanges(url: string, reload: (lists?: readonly string[]) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(milliseconds: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  }

  function lost(): void {
    source?.close();
    source = undefined;
    wait(retryEvery, () => {
      reload();
      listen();
    });
  }

  function received(): void {
    wait(silenceLimit, lost);
  }

  function listen(): void {
    if (!('EventSource' in globalThis)) {
      lost();
      return;
    }
    source = new EventSource(url);
    source.addEventListener('ready', received);
    source.addEventListener('beat', received);
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      received();
      reload((JSON.parse(data) as { lists: string[] }).lists);
    });
    // The browser's own reconnect would stop at the first rejection.
    source.addEventListener('error', lost);
    received();
  }

  listen();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
