import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Longest time for requests under way when a server stops, milliseconds. */
const finishWithin = 6_500;

/** Milliseconds between two looks for idle connections while stopping. */
const sweepEvery = 50;

/** Milliseconds that a connection which has not been used yet may take to bring the request it was opened for. */
const firstRequestWithin = 500;

/** Longest time, in milliseconds, until those who watch our readiness have heard that we stop. */
const toldWithin = 2_500;

/** Milliseconds for what a gateway had sent on before it heard: such requests are on their way, on connections that must not be idle for us. */
const settleFor = 250;

/** How a gateway names itself when it asks whether we are ready. */
export const gatewayAgent = 'clinic-gateway';

/** How a load balancer names itself, which opens a connection for each check (docker/balancer/haproxy.cfg). */
export const balancerAgent = 'clinic-balancer';

/** A load balancer that has not checked for so many milliseconds is gone; one of its checks may take 5 s. */
const balancerGoneAfter = 6_000;

/** What we need of a request to tell who asks. */
type Asking = { readonly headers: { readonly 'user-agent'?: string | undefined } };

/** Whether a load balancer of ours asks. */
export const isBalancer = ({ headers }: Asking): boolean => headers['user-agent']?.startsWith(balancerAgent) === true;

/**
 * Those who send us requests and ask now and then whether we are ready: gateways and load balancers. A stop lets each of
 * them hear that we are not before it closes anything, so that a restart costs no request, not even one that must not be
 * sent twice.
 */
export class Watchers {
  /** A gateway by the connection that it keeps, a balancer by its address. */
  readonly #told = new Map<Socket | string, boolean>();
  readonly #lastCheck = new Map<string, number>();
  #toldAll: (() => void) | undefined;

  /** Notes that somebody asked. @param stopping - whether the answer says so */
  asked(request: Asking & { readonly socket: Socket }, stopping: boolean): void {
    const { socket } = request;
    if (isBalancer(request)) {
      const address = socket.remoteAddress ?? '';
      this.#lastCheck.set(address, performance.now());
      this.#told.set(address, stopping);
      return this.#look();
    }
    if (!request.headers['user-agent']?.startsWith(gatewayAgent)) return;
    if (!this.#told.has(socket)) {
      socket.once('close', () => {
        this.#told.delete(socket);
        this.#look();
      });
    }
    this.#told.set(socket, stopping);
    this.#look();
  }

  /** Resolves when every watcher has been told that we stop, or is gone, or the time is up. At once when nobody watches. */
  async haveHeard(): Promise<void> {
    for (const [address, at] of this.#lastCheck) if (performance.now() - at > balancerGoneAfter) this.#told.delete(address);
    if (this.#told.size === 0) return;
    const waiting = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#toldAll = resolve;
        this.#look();
      }),
      // Ended before its time by the other one.
      delay(toldWithin, undefined, { signal: waiting.signal }).catch(() => undefined),
    ]);
    waiting.abort();
    await delay(settleFor);
  }

  #look(): void {
    if (![...this.#told.values()].includes(false)) this.#toldAll?.();
  }
}

/**
 * Makes a server's end graceful.
 *
 * @returns closes it: takes no more connections, lets requests under way finish, and cuts what is not done in time
 */
export function gracefully(server: Server): () => Promise<void> {
  // Browsers open connections ahead of need; Node doesn't count them as idle, and would wait for their first request.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () =>
    new Promise((resolve) => {
      const begun = performance.now();
      const cut = setTimeout(() => server.closeAllConnections(), finishWithin);
      // A connection whose answer began before the stop stays open for the next request: closed once it is idle.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        if (performance.now() - begun > firstRequestWithin) for (const socket of unused) socket.destroy();
      }, sweepEvery);
      // Also one that never listened is closed now.
      server.close(() => {
        clearTimeout(cut);
        clearInterval(sweep);
        resolve();
      });
    });
}
