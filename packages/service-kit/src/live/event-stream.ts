import type { Request, Response } from 'express';
import { liveLineHeader } from '@clinic/contracts/live';
import { ProblemError } from '../http/problem-error.ts';

/**
 * Milliseconds between two heartbeats, each of which also re-checks the listener's session. For pages of the previous
 * release, and for a gateway's live line, which has its own heartbeat.
 */
const heartbeatEvery = 5_000;
const lineHeartbeatEvery = 15_000;

/** Characters that may be buffered for a slow client before it is disconnected; it then reconnects. */
const mostWaiting = 64 * 1_024;

/** Sends a message to the client. @param data - as JSON */
export type SendEvent = (event: string, data: unknown) => void;

/** Server-sent events, for as long as the client listens and its session is valid. */
export class EventStream {
  /** Starts sending; returns a function that stops it. */
  readonly open: (send: SendEvent) => () => void;
  readonly stopping: AbortSignal;
  /** Id of the next message, from which a client resumes when it reconnects. */
  readonly position: (() => string) | undefined;

  /** @param stopping - ends the stream when the service stops */
  constructor(open: (send: SendEvent) => () => void, stopping: AbortSignal, position?: () => string) {
    this.open = open;
    this.stopping = stopping;
    this.position = position;
  }
}

/** The listener of a stream. */
export interface StreamListener {
  /** Rejects once the listener's session has ended or changed, which ends the stream. */
  readonly authorise: () => Promise<void>;
  /** Calls back when the listener's rights may have changed. @returns unsubscribes */
  readonly onRightsChanged: (changed: () => void) => () => void;
  /** Called for each message. */
  readonly onMessage: () => void;
}

/**
 * Sends an event stream. Its last message is `session` if the listener must renew the session before it listens again.
 */
export function sendEventStream(
  request: Request,
  response: Response,
  { open, stopping, position }: EventStream,
  { authorise, onRightsChanged, onMessage }: StreamListener,
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
    const id = position ? `id: ${position()}\n` : '';
    response.write(`${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const rejected = (error: unknown): void => {
    if (error instanceof ProblemError && error.status === 401) write('session', {});
    end();
  };
  // Re-checks the session before each message, so that a client that has lost a right receives nothing more. A
  // rejection isn't logged here: the client's next request gets it as a response.
  const send: SendEvent = (event, data) => void authorise().then(() => write(event, data), rejected);
  send('ready', {});
  const close = open(send);
  const forget = onRightsChanged(() => void authorise().catch(rejected));
  const beatEvery = request.get(liveLineHeader) === undefined ? heartbeatEvery : lineHeartbeatEvery;
  const beat = setInterval(() => send('beat', {}), beatEvery);
  stopping.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    clearInterval(beat);
    close();
    forget();
    stopping.removeEventListener('abort', end);
  });
}
