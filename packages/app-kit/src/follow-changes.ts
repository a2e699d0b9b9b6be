/** Milliseconds without a sign of life after which the line counts as lost; the server gives one every 5 s. */
const silenceLimit = 15_000;

/** Milliseconds between two tries to listen again, each of which also loads what may have changed meanwhile. */
const againEvery = 5_000;

/**
 * Listens to a change stream, and asks every few seconds where it can't: then everything is loaded again, which also makes
 * an expired session valid for the next try.
 *
 * @param url - of the stream
 * @param reload - loads these lists again; all of them when it isn't told which
 * @returns ends it
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
    wait(againEvery, () => {
      reload();
      listen();
    });
  }

  function heard(): void {
    wait(silenceLimit, lost);
  }

  function listen(): void {
    if (!('EventSource' in globalThis)) {
      lost();
      return;
    }
    source = new EventSource(url);
    source.addEventListener('ready', heard);
    source.addEventListener('beat', heard);
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      heard();
      reload((JSON.parse(data) as { lists: string[] }).lists);
    });
    // The browser's own tries to connect again would end at the first refusal.
    source.addEventListener('error', lost);
    heard();
  }

  listen();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
