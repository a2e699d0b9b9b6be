import type { ServerResponse } from 'node:http';
import { isBalancer, Watchers } from '@clinic/graceful-server';
import { sendText } from './answers.ts';
import type { GatewayRequest } from './gateway-request.ts';

/** Whether the gateway accepts requests, and whether all that poll it know if not. */
export class Readiness {
  readonly #hasPages: () => boolean;
  readonly #watchers = new Watchers();
  stopping = false;

  /** @param hasPages - whether the shell has been read */
  constructor(hasPages: () => boolean) {
    this.#hasPages = hasPages;
  }

  get ready(): boolean {
    return this.#hasPages() && !this.stopping;
  }

  /** Reports not ready from now on. Resolves when all that poll our readiness have seen it. */
  stop(): Promise<void> {
    this.stopping = true;
    return this.#watchers.allNotified();
  }

  /** Answers `/health/ready`. */
  readonly answer = (req: GatewayRequest, res: ServerResponse): void => {
    res.once('finish', () => this.#watchers.checked(req, this.stopping));
    if (this.ready) return sendText(req, res, 200, 'ok');
    // To the balancer 404 means shutting down; 503 means failing, which takes three checks to count
    // (docker/balancer/haproxy.cfg).
    const status = this.stopping && isBalancer(req) ? 404 : 503;
    sendText(req, res, status, this.stopping ? 'stopping' : 'the shell has not been read yet');
  };
}
