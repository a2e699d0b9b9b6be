import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gatewayOrders, gatewayReportsPath, type GatewayOrders } from '@clinic/service-kit/deployments/gateway-report';
import type { Logger } from 'pino';
import { repeat } from '../replicas/repeat.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { Remembered } from '../remembered.ts';
import type { GatewaySettings } from '../settings.ts';
import type { Reported } from './counted-figures.ts';
import { FrontEnd, type LiveCanary } from './front-end.ts';
import { giveGroup, groupOf, isInShare } from './share.ts';

export interface DeploymentsOptions {
  readonly settings: Pick<GatewaySettings, 'REMOTES' | 'SHELL_URL' | 'SERVICES'>;
  readonly remembered: Remembered;
  /** Milliseconds between reports. */
  readonly everyMs: number;
  /** The version of a front-end that visitors get. */
  readonly servedOf: (name: string) => string | undefined;
  /** Called when visitors get something else. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/** What is remembered, beside the services' publications, whose names have no capital letter. */
const fileName = 'Releases';

/** Milliseconds that svc-identity may take to answer a report. */
const withinMs = 3000;

/**
 * Which releases of front-ends visitors get. svc-identity decides: every two seconds this reports what the front-ends' servers
 * keep and what visitors' pages have reported, and does what the answer says. While svc-identity is unavailable, the last
 * answer holds, after a restart too.
 */
export class Deployments {
  readonly #options: DeploymentsOptions;
  readonly #gateway = randomUUID();
  /** By name. */
  readonly frontEnds: ReadonlyMap<string, FrontEnd>;
  readonly #stopReporting: () => void;
  #isStopped = false;
  #trouble: string | undefined;
  /** What earlier runs were told, until the first answer. */
  #recalled: GatewayOrders | undefined;
  #remembered = '';

  constructor(options: DeploymentsOptions) {
    this.#options = options;
    const { settings, remembered, everyMs, onChange, log } = options;
    const all = [...settings.REMOTES, ['shell', settings.SHELL_URL] as const];
    this.frontEnds = new Map(
      all.map(([name, urls]) => [name, new FrontEnd({ name, urls, everyMs, onChange, log })] as const),
    );
    this.#recalled = remembered.read(fileName, (text) => gatewayOrders.parse(JSON.parse(text)));
    this.#stopReporting = repeat(() => this.#report(), everyMs);
  }

  /** All running canaries. */
  get live(): readonly LiveCanary[] {
    return [...this.frontEnds.values()].flatMap(({ live }) => live ?? []);
  }

  /**
   * The canaries that a visitor gets.
   *
   * @param res - set for a page: a browser without a group is given one. Other requests use the group that came with
   *   the page.
   */
  of(req: GatewayRequest, res?: ServerResponse): readonly LiveCanary[] {
    const { live } = this;
    if (live.length === 0) return live;
    const group = groupOf(req) ?? (res && giveGroup(req, res));
    if (group === undefined) return [];
    return live.filter(({ canary: { version, id, share }, remote: { name } }) =>
      isInShare(group, `${name} ${version} ${id}`, share),
    );
  }

  /**
   * Counts what a page has reported about a release.
   *
   * @param reported - its version; of the shell, the name of its main script
   */
  count(name: string, reported: string, what: Reported): void {
    const frontEnd = this.frontEnds.get(name);
    const version = name === 'shell' ? frontEnd?.releaseWith(reported) : reported;
    if (!frontEnd || version === undefined) return;
    const { live, figures } = frontEnd;
    figures.count(version, live?.canary.version === version ? live.canary.id : 0, what);
  }

  /** Reads what the servers keep, reports, and does what was decided. */
  async poll(): Promise<void> {
    const recalled = this.#recalled;
    this.#recalled = undefined;
    if (recalled) await this.#follow(recalled);
    await Promise.all([...this.frontEnds.values()].map((frontEnd) => frontEnd.poll()));
    await this.#report();
  }

  /** Stops, and reports what has been counted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopReporting();
    for (const frontEnd of this.frontEnds.values()) frontEnd.stop();
    await this.#report();
  }

  async #report(): Promise<void> {
    const urls = this.#options.settings.SERVICES.get('identity') ?? [];
    const taken = [...this.frontEnds].map(([name, frontEnd]) => {
      const { figures, failed } = frontEnd.figures.take();
      return { name, failed, report: { ...frontEnd.report(this.#servedOf(name, frontEnd)), figures } };
    });
    const body = JSON.stringify({
      gateway: this.#gateway,
      frontEnds: Object.fromEntries(taken.map(({ name, report }) => [name, report])),
    });
    try {
      const orders = await send(urls, body);
      this.#say(undefined);
      await this.#follow(orders);
    } catch (error) {
      for (const { failed } of taken) failed();
      this.#say(String(error));
    }
  }

  #servedOf(name: string, frontEnd: FrontEnd): string | undefined {
    const served = this.#options.servedOf(name);
    return name === 'shell' && served !== undefined ? frontEnd.releaseWith(served) : served;
  }

  /** Logs an outage when it starts and when it ends. */
  #say(trouble: string | undefined): void {
    const { log } = this.#options;
    if (trouble === this.#trouble || this.#isStopped) return;
    if (trouble === undefined) log.info('svc-identity says again which releases to serve');
    else log.warn({ reason: trouble }, 'svc-identity doesn’t say which releases to serve, keeping what it said last');
    this.#trouble = trouble;
  }

  async #follow(orders: GatewayOrders): Promise<void> {
    await Promise.all([...this.frontEnds].map(([name, one]) => one.follow(orders.frontEnds[name] ?? {})));
    const text = JSON.stringify(orders);
    if (text === this.#remembered) return;
    this.#remembered = text;
    this.#options.remembered.write(fileName, orders);
  }
}

/** Sends a report to the first replica that answers. */
async function send(urls: readonly string[], body: string): Promise<GatewayOrders> {
  let failure = new Error('SERVICES names no identity');
  for (const url of urls) {
    try {
      const answer = await fetch(url + gatewayReportsPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(withinMs),
      });
      if (answer.ok) return gatewayOrders.parse(await answer.json());
      failure = new Error(`status ${answer.status}`);
      await answer.body?.cancel();
    } catch (error) {
      failure = error as Error;
    }
  }
  throw failure;
}
