import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gatewayOrders, gatewayReportsPath, type GatewayOrders } from '@clinic/service-kit/deployments/gateway-report';
import type { Context } from '../context.ts';
import { repeat } from '../replicas/repeat.ts';
import type { ReplicaSet } from '../replicas/replica-set.ts';
import { Troubles } from '../troubles.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { Remembered } from '../remembered.ts';
import { Upstream } from '../proxy/upstream.ts';
import { FrontEnd, type RunningCanary } from './front-end.ts';
import { giveGroup, groupOf, isInShare } from './share.ts';

/** What is remembered, beside the services' publications, whose names have no capital letter. */
const fileName = 'Releases';

const headers = { accept: 'application/json', 'content-type': 'application/json' };

/** Milliseconds within which a replica of svc-identity must answer a report. */
const withinMs = 3000;

/**
 * Which releases of front-ends visitors get. svc-identity decides: every two seconds this reports what the front-ends' servers
 * keep and what visitors' pages have reported, and does what the answer says. While svc-identity is unavailable, the last
 * answer holds, after a restart too.
 */
export class Deployments {
  readonly #identity: ReplicaSet | undefined;
  readonly #remembered: Remembered;
  readonly #gateway = randomUUID();
  readonly shell: FrontEnd;
  /** By name. */
  readonly remotes: ReadonlyMap<string, FrontEnd>;
  /** The remotes, and `shell`. */
  readonly all: ReadonlyMap<string, FrontEnd>;
  readonly #troubles: Troubles<'report'>;
  /** What earlier runs were told, until the first answer. */
  #recalled: GatewayOrders | undefined;
  #written = '';

  /**
   * @param identity - the replicas of svc-identity
   * @param onChange - called when visitors get something else
   */
  constructor(context: Context, identity: ReplicaSet | undefined, onChange: () => void) {
    const { settings, remembered, log } = context;
    this.#identity = identity;
    this.#remembered = remembered;
    const open = (name: string, urls: readonly string[]): FrontEnd =>
      new FrontEnd(context, new Upstream(context, { name, urls, sendsFiles: true }), onChange);
    this.shell = open('shell', settings.SHELL_URL);
    this.remotes = new Map([...settings.REMOTES].map(([name, urls]) => [name, open(name, urls)] as const));
    this.all = new Map([...this.remotes, ['shell', this.shell]]);
    this.#recalled = remembered.read(fileName, (text) => gatewayOrders.parse(JSON.parse(text)));
    this.#troubles = new Troubles(
      log,
      'svc-identity doesn’t say which releases to serve, keeping what it said last',
      'svc-identity says again which releases to serve',
    );
    void repeat(() => this.report(), context.pollEveryMs, context.ended);
  }

  /** All running canaries. */
  get canaries(): readonly RunningCanary[] {
    return [...this.remotes.values()].flatMap(({ runningCanary }) => runningCanary ?? []);
  }

  /**
   * The canaries that a visitor gets.
   *
   * @param res - set for a page: a browser without a group is given one. Other requests use the group that came with
   *   the page.
   */
  of(req: GatewayRequest, res?: ServerResponse): readonly RunningCanary[] {
    const { canaries } = this;
    if (canaries.length === 0) return canaries;
    const group = groupOf(req) ?? (res && giveGroup(req, res));
    if (group === undefined) return [];
    return canaries.filter(({ canary: { version, id, share }, remote: { name } }) =>
      isInShare(group, `${name} ${version} ${id}`, share),
    );
  }

  /** Does what was decided last, and reads what the servers keep. */
  async poll(): Promise<void> {
    const recalled = this.#recalled;
    this.#recalled = undefined;
    if (recalled) await this.#follow(recalled);
    await Promise.all([...this.all.values()].map((frontEnd) => frontEnd.poll()));
  }

  /** Reports, and does what was decided. @param isLast - the gateway stops: a failure is nobody's concern */
  async report(isLast = false): Promise<void> {
    const all = [...this.all].map(([name, frontEnd]) => [name, frontEnd.report()] as const);
    const report = {
      gateway: this.#gateway,
      frontEnds: Object.fromEntries(all.map(([name, { report }]) => [name, report])),
    };
    const request = { path: gatewayReportsPath, headers, body: JSON.stringify(report), withinMs };
    try {
      if (!this.#identity) throw new Error('SERVICES has no identity');
      const orders = await this.#identity.ask(request, ({ status, text }) => {
        if (status !== 200) throw new Error(`status ${status}`);
        return gatewayOrders.parse(JSON.parse(text));
      });
      this.#troubles.end('report');
      await this.#follow(orders);
    } catch (error) {
      for (const [, { failed }] of all) failed();
      if (!isLast) this.#troubles.begin('report', String(error));
    }
  }

  async #follow(orders: GatewayOrders): Promise<void> {
    await Promise.all([...this.all].map(([name, one]) => one.follow(orders.frontEnds[name] ?? {})));
    const text = JSON.stringify(orders);
    if (text === this.#written) return;
    this.#written = text;
    this.#remembered.write(fileName, orders);
  }
}
