import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';

/** One server-sent event. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Parses server-sent events as they arrive. */
export function readEvents(body: Readable, onEvent: (event: ReceivedEvent) => void): void {
  const parser = createParser({ onEvent: ({ event = 'message', data, id }) => onEvent({ event, data, id }) });
  body.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
}
