import type { Request, Response } from 'express';

/** Milliseconds between two signs of life; each is also a moment at which the listener's session is looked at. */
const beatEvery = 5_000;

/** Characters that a listener who doesn't read may have waiting before it is cut off; it comes back by itself. */
const mostWaiting = 64 * 1_024;

/** Sends a message to the listener. @param data - as JSON */
export type SendEvent = (event: string, data: unknown) => void;

/** Server-sent events, for as long as the client listens and the session lasts. */
export class EventStream {
  /** Begins to send; returns what ends it. */
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
 * @param onMessage - is told of each message
 */
export function sendEventStream(request: Request, response: Response, { open, stopping }: EventStream, authorise: () => Promise<void>, onMessage: () => void): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
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
  // The session is looked at before each message: whoever lost a right learns nothing any more. A refusal needs no log
  // line of its own, as the client's next request gets it as an answer.
  const send: SendEvent = (event, data) => void authorise().then(() => write(event, data), end);
  send('ready', {});
  const close = open(send);
  const beat = setInterval(() => send('beat', {}), beatEvery);
  stopping.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    clearInterval(beat);
    close();
    stopping.removeEventListener('abort', end);
  });
}
