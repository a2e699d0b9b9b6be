import type { Request, Response } from 'express';

/** Milliseconds between two heartbeats; each one also re-checks the listener's session. */
const heartbeatEvery = 5_000;

/** Characters that may be buffered for a slow client before it is disconnected; it reconnects by itself. */
const mostWaiting = 64 * 1_024;

/** Sends a message to the client. @param data - as JSON */
export type SendEvent = (event: string, data: unknown) => void;

/** Server-sent events, for as long as the client listens and its session is valid. */
export class EventStream {
  /** Starts sending; returns a function that stops it. */
  readonly open: (send: SendEvent) => () => void;
  readonly stopping: AbortSignal;

  /** @param stopping - ends the stream when the service stops */
  constructor(open: (send: SendEvent) => () => void, stopping: AbortSignal) {
    this.open = open;
    this.stopping = stopping;
  }
}

/**
 * Sends an event stream.
 *
 * @param authorise - rejects once the listener's session has ended or changed, which ends the stream
 * @param onMessage - called for each message
 */
export function sendEventStream(
  request: Request,
  response: Response,
  { open, stopping }: EventStream,
  authorise: () => Promise<void>,
  onMessage: () => void,
): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  if (request.method === 'HEAD' || stopping.aborted) {
    response.end();
    return;
  }
  const end = (): void => {
    response.end();
  };
  const write = (event: string, data: unknown): void => {
    if (response.writableLength > mostWaiting) {
      response.destroy();
      return;
    }
    if (response.writableEnded) return;
    onMessage();
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  // Re-checks the session before each message, so that a client that has lost a right receives nothing more. The rejection
  // isn't logged here: the client's next request gets it as a response.
  const send: SendEvent = (event, data) => void authorise().then(() => write(event, data), end);
  send('ready', {});
  const close = open(send);
  const beat = setInterval(() => send('beat', {}), heartbeatEvery);
  stopping.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    clearInterval(beat);
    close();
    stopping.removeEventListener('abort', end);
  });
}
