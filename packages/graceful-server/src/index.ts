import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export { limitLookups } from './limit-lookups.ts';

/** Maximum time for requests in flight to finish when a server stops, in milliseconds. */
const finishWithin = 6_500;

/** Milliseconds between sweeps for idle connections while stopping. */
const sweepEvery = 50;

/** Milliseconds to wait for the first request on an unused connection. */
const firstRequestWithin = 500;

/** Maximum time, in milliseconds, to wait until all watchers have been notified that we are stopping. */
const notifiedWithin = 2_500;

/**
 * Milliseconds to wait for requests that a gateway forwarded before it was notified: they may still arrive on
 * connections that look idle.
 */
const settleFor = 250;

/** User-Agent of a gateway's readiness checks. */
export const gatewayAgent = 'clinic-gateway';

/**
 * User-Agent of a load balancer, which opens a connection for each check; the name of one of its lists of servers may follow,
 * each of which is notified (docker/balancer/haproxy.cfg).
 */
export const balancerAgent = 'clinic-balancer';

/** Milliseconds without a check after which a load balancer is ignored; a check may take 5 s. */
const balancerGoneAfter = 6_000;

/** The part of a request that identifies the client. */
type Checking = { readonly headers: { readonly 'user-agent'?: string | undefined } };

/** Whether the client is our load balancer. */
export const isBalancer = ({ headers }: Checking): boolean => headers['user-agent']?.startsWith(balancerAgent) === true;

/**
 * The clients that send us requests and poll our readiness: gateways and load balancers. On a stop, each is notified
 * before anything closes, so that a restart loses no request, not even one that can't be retried.
 */
export class Watchers {
  /** Whether each watcher has been notified; a gateway is keyed by its connection, a balancer by its address and User-Agent. */
  readonly #notified = new Map<Socket | string, boolean>();
  readonly #lastCheck = new Map<string, number>();
  #onAllNotified: (() => void) | undefined;

  /** Records a readiness check. @param stopping - whether the response was that we are stopping */
  checked(request: Checking & { readonly socket: Socket }, stopping: boolean): void {
    const { socket } = request;
    if (isBalancer(request)) {
      const balancer = `${socket.remoteAddress} ${request.headers['user-agent']}`;
      this.#lastCheck.set(balancer, performance.now());
      this.#notified.set(balancer, stopping);
      return this.#checkAll();
    }
    if (!request.headers['user-agent']?.startsWith(gatewayAgent)) return;
    if (!this.#notified.has(socket)) {
      socket.once('close', () => {
        this.#notified.delete(socket);
        this.#checkAll();
      });
    }
    this.#notified.set(socket, stopping);
    this.#checkAll();
  }

  /**
   * Resolves once every watcher has been notified that we are stopping or has left, or after a timeout; at once if
   * there are none.
   */
  async allNotified(): Promise<void> {
    for (const [balancer, at] of this.#lastCheck)
      if (performance.now() - at > balancerGoneAfter) this.#notified.delete(balancer);
    if (this.#notified.size === 0) return;
    const waiting = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#onAllNotified = resolve;
        this.#checkAll();
      }),
      // Aborts if the other promise resolves first.
      delay(notifiedWithin, undefined, { signal: waiting.signal }).catch(() => undefined),
    ]);
    waiting.abort();
    await delay(settleFor);
  }

  #checkAll(): void {
    if (![...this.#notified.values()].includes(false)) this.#onAllNotified?.();
  }
}

/**
 * Makes a server shut down gracefully.
 *
 * @returns a function that closes it: accepts no more connections, lets requests in flight finish, and cuts off those
 *   that take too long
 */
export function gracefully(server: Server): () => Promise<void> {
  // Browsers open connections speculatively; Node doesn't count them as idle and would wait for their first request.
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
      // A connection whose response started before the stop stays open for the next request, so close it once it is
      // idle.
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        if (performance.now() - begun > firstRequestWithin) for (const socket of unused) socket.destroy();
      }, sweepEvery);
      // Also calls back if the server never listened.
      server.close(() => {
        clearTimeout(cut);
        clearInterval(sweep);
        resolve();
      });
    });
}
