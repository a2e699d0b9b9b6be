import type { ServerResponse } from 'node:http';
import { isBalancer, Watchers } from '@clinic/graceful-server';
import { sendText } from './answers.ts';
import type { GatewayRequest } from './gateway-request.ts';

/** Whether the gateway accepts requests, and whether all that poll it know if not. */
export class Readiness {
  readonly #hasStarted: () => boolean;
  readonly #watchers = new Watchers();
  stopping = false;

  /** @param hasStarted - whether the shell has been read, and the demo's sign-in has started */
  constructor(hasStarted: () => boolean) {
    this.#hasStarted = hasStarted;
  }

  get ready(): boolean {
    return this.#hasStarted() && !this.stopping;
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
    sendText(req, res, status, this.stopping ? 'stopping' : 'the shell or the demo’s sign-in has not been read yet');
  };
}
