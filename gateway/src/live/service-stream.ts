import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { liveLineHeader, type LiveChange } from '@clinic/contracts/live';
import { readEvents, type ReceivedEvent } from '@clinic/service-kit/read-events';
import { z } from 'zod';
import { parseJson } from '../parse-json.ts';
import { isUnreachable } from '../replicas/network-errors.ts';
import type { Replica } from '../replicas/replica.ts';
import type { ReplicaSet } from '../replicas/replica-set.ts';

/** Milliseconds within which the service must respond. */
const answerWithin = 10_000;

/**
 * Milliseconds without a message after which a stream counts as lost; services send a heartbeat at least every 15 s.
 */
const silenceLimit = 40_000;

/** Milliseconds until the next attempt: doubled for each failure in a row, up to the longest. */
const firstDelay = 50;
const longestDelay = 5_000;

/** Milliseconds between checks for a replica while there is none. */
const replicaDelay = 500;

/** A stream that lasted this many milliseconds was not a failure. */
const lastedLongEnough = 5_000;

/** A position older than any history: the stream then reports that everything may have changed. */
const longAgo = '0';

const validId = /^[\w-]{1,64}$/;
const changeData = z.object({
  lists: z.array(z.string().max(100)).max(200),
  by: z.array(z.string().max(100)).max(50).optional(),
});

/** Where a stream comes from. */
export interface StreamSource {
  /** Id of the call. */
  readonly call: string;
  /** Name of the service, which gets its own session token only. */
  readonly service: string;
  readonly path: string;
  readonly replicas: ReplicaSet;
}

export interface ServiceStreamOptions extends StreamSource {
  /** Headers of the browser's request, which carry its session. */
  readonly headers: IncomingHttpHeaders;
  /** Position to resume from; `undefined` for a new line. */
  readonly lastId: string | undefined;
  /** The browser may have loaded lists before this stream was connected. */
  readonly late: boolean;
  /** Lists changed. */
  readonly onChange: (change: LiveChange) => void;
  /** The session has ended, expired, or has other rights. */
  readonly onSession: () => void;
  /** The stream was connected, lost, or rejected. */
  readonly onState: () => void;
}

/** One service's change stream as a part of a live line: reconnects to any replica and resumes where it was. */
export class ServiceStream {
  readonly #options: ServiceStreamOptions;
  #lastId: string | undefined;
  #outgoing: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;
  /** Whether it delivers changes. */
  connected = false;
  /** Whether the first attempt has ended, well or not. */
  settled = false;

  constructor(options: ServiceStreamOptions) {
    this.#options = options;
    this.#lastId = options.lastId ?? (options.late ? longAgo : undefined);
    this.#connect();
  }

  get call(): string {
    return this.#options.call;
  }

  /** Position to resume from. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#outgoing?.destroy();
  }

  #connect(): void {
    const { replicas, path, headers } = this.#options;
    const replica = replicas.pick(performance.now(), [], false);
    if (!replica) return this.#over(undefined);
    replica.inFlight += 1;
    const began = performance.now();
    const outgoing = replica.open(path, {
      headers: {
        ...headers,
        accept: 'text/event-stream',
        [liveLineHeader]: '1',
        ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }),
      },
    });
    this.#outgoing = outgoing;
    let answered = false;
    let failure: Error | undefined;
    const silence = setTimeout(() => outgoing.destroy(new Error('the stream is silent')), answerWithin);
    outgoing.once('response', (incoming) => {
      answered = true;
      this.#responseBegan(incoming, replica, silence);
    });
    outgoing.on('error', (error) => (failure = error));
    outgoing.once('close', () => {
      clearTimeout(silence);
      replica.inFlight -= 1;
      if (!answered && failure && isUnreachable(failure)) replicas.lost(replica);
      this.#over(performance.now() - began);
    });
    outgoing.end();
  }

  #responseBegan(incoming: IncomingMessage, replica: Replica, silence: NodeJS.Timeout): void {
    const { replicas, onSession, onState } = this.#options;
    replicas.responseBegan(replica, incoming);
    // A response that breaks off closes the request, too.
    incoming.on('error', () => undefined);
    if (incoming.statusCode === 401) {
      incoming.resume();
      return onSession();
    }
    if (incoming.statusCode !== 200 || !incoming.headers['content-type']?.startsWith('text/event-stream')) {
      incoming.resume();
      return;
    }
    clearTimeout(silence);
    const watchdog = setTimeout(() => incoming.destroy(), silenceLimit);
    incoming.on('data', () => watchdog.refresh()).once('close', () => clearTimeout(watchdog));
    this.connected = true;
    this.settled = true;
    onState();
    readEvents(incoming, (event) => this.#take(event));
  }

  #take({ event, data, id }: ReceivedEvent): void {
    if (this.#closed) return;
    if (id !== undefined && validId.test(id)) this.#lastId = id;
    if (event === 'session') return this.#options.onSession();
    if (event !== 'change') return;
    // Pass on names and the request only, whatever else a service sends.
    const change = changeData.safeParse(parseJson(data));
    if (change.success) this.#options.onChange(change.data);
  }

  /** @param lasted - milliseconds; `undefined` if there was no replica */
  #over(lasted: number | undefined): void {
    if (this.#closed) return;
    const wasConnected = this.connected;
    this.connected = false;
    this.settled = true;
    if (wasConnected && lasted !== undefined && lasted > lastedLongEnough) this.#failures = 0;
    // The browser loads its lists now, before the stream is connected: what changes until then must be reported later.
    if (!wasConnected) this.#lastId ??= longAgo;
    // Picking a replica costs no request, so retry at a fixed delay.
    const delay = lasted === undefined ? replicaDelay : Math.min(longestDelay, firstDelay * 2 ** this.#failures);
    if (lasted !== undefined) this.#failures += 1;
    this.#timer = setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
    this.#options.onState();
  }
}
