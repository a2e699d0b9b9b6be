import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { askReplicas } from '@clinic/service-kit/ask-replicas';
import { gatewayOrders, gatewayReportsPath, type GatewayOrders } from '@clinic/service-kit/deployments/gateway-report';
import type { Logger } from 'pino';
import { repeat } from '../replicas/repeat.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { Remembered } from '../remembered.ts';
import type { GatewaySettings } from '../settings.ts';
import { Upstream, type UpstreamOptions } from '../proxy/upstream.ts';
import type { Reported } from './counted-figures.ts';
import { FrontEnd, type LiveCanary } from './front-end.ts';
import { giveGroup, groupOf, isInShare } from './share.ts';

export interface DeploymentsOptions {
  readonly settings: Pick<GatewaySettings, 'REMOTES' | 'SHELL_URL' | 'SERVICES'>;
  /** How requests for files are forwarded. */
  readonly upstream: Omit<UpstreamOptions, 'name' | 'urls'>;
  readonly remembered: Remembered;
  /** Milliseconds between reports. */
  readonly everyMs: number;
  /** Called when visitors get something else. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/** What is remembered, beside the services' publications, whose names have no capital letter. */
const fileName = 'Releases';

/** Milliseconds within which a replica of svc-identity must answer a report. */
const answerWithin = 3000;

/**
 * Which releases of front-ends visitors get. svc-identity decides: every two seconds this reports what the front-ends' servers
 * keep and what visitors' pages have reported, and does what the answer says. While svc-identity is unavailable, the last
 * answer holds, after a restart too.
 */
export class Deployments {
  readonly #options: DeploymentsOptions;
  readonly #gateway = randomUUID();
  readonly shell: FrontEnd;
  /** By name. */
  readonly remotes: ReadonlyMap<string, FrontEnd>;
  /** The remotes, and `shell`. */
  readonly all: ReadonlyMap<string, FrontEnd>;
  readonly #stopReporting: () => void;
  #isStopped = false;
  #trouble: string | undefined;
  /** What earlier runs were told, until the first answer. */
  #recalled: GatewayOrders | undefined;
  #remembered = '';

  constructor(options: DeploymentsOptions) {
    this.#options = options;
    const { settings, upstream, remembered, everyMs, onChange, log } = options;
    const open = (name: string, urls: readonly string[]): FrontEnd =>
      new FrontEnd({ name, urls, upstream: new Upstream({ ...upstream, name, urls }), everyMs, onChange, log });
    this.shell = open('shell', settings.SHELL_URL);
    this.remotes = new Map([...settings.REMOTES].map(([name, urls]) => [name, open(name, urls)] as const));
    this.all = new Map([...this.remotes, ['shell', this.shell]]);
    this.#recalled = remembered.read(fileName, (text) => gatewayOrders.parse(JSON.parse(text)));
    this.#stopReporting = repeat(() => this.#report(), everyMs);
  }

  /** All running canaries. */
  get live(): readonly LiveCanary[] {
    return [...this.remotes.values()].flatMap(({ live }) => live ?? []);
  }

  /** The versions of a remote, or of the shell, that visitors get now; none if it isn't registered. */
  versionsOf(name: string): readonly string[] {
    return this.all.get(name)?.versions ?? [];
  }

  /** Counts what a page has reported about a version that visitors get now. */
  count(name: string, version: string | undefined, what: Reported): void {
    if (version !== undefined && this.versionsOf(name).includes(version)) this.all.get(name)?.count(version, what);
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

  /** Reads what the servers keep, reports, and does what was decided. */
  async poll(): Promise<void> {
    const recalled = this.#recalled;
    this.#recalled = undefined;
    if (recalled) await this.#follow(recalled);
    await Promise.all([...this.all.values()].map((frontEnd) => frontEnd.poll()));
    await this.#report();
  }

  /** Stops, and reports what has been counted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopReporting();
    for (const frontEnd of this.all.values()) frontEnd.stop();
    await this.#report();
  }

  async #report(): Promise<void> {
    const urls = this.#options.settings.SERVICES.get('identity') ?? [];
    const all = [...this.all].map(([name, frontEnd]) => [name, frontEnd.report()] as const);
    const body = {
      gateway: this.#gateway,
      frontEnds: Object.fromEntries(all.map(([name, { report }]) => [name, report])),
    };
    try {
      const orders = await askReplicas(urls, { path: gatewayReportsPath, body, answer: gatewayOrders, answerWithin });
      this.#say(undefined);
      await this.#follow(orders);
    } catch (error) {
      for (const [, { failed }] of all) failed();
      this.#say(String(error));
    }
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
    await Promise.all([...this.all].map(([name, one]) => one.follow(orders.frontEnds[name] ?? {})));
    const text = JSON.stringify(orders);
    if (text === this.#remembered) return;
    this.#remembered = text;
    this.#options.remembered.write(fileName, orders);
  }
}
