import type { RegisteredRemote } from '@clinic/contracts/remotes';
import {
  keptReleases,
  releasesHeader,
  type GatewayOrders,
  type GatewayReport,
  type KeptReleases,
} from '@clinic/service-kit/deployments/gateway-report';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { parseRemote } from '../registry/parse-published.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { PolledFile } from '../replicas/polled-file.ts';
import { repeat } from '../replicas/repeat.ts';
import { CountedFigures, type Reported } from './counted-figures.ts';

/** What was decided about one front-end. */
type Orders = GatewayOrders['frontEnds'][string];

/** A running canary and the remote that its share of visitors gets. */
export interface RunningCanary {
  readonly canary: NonNullable<Orders['canary']>;
  readonly remote: RegisteredRemote;
}

/** A build of a front-end: the shell's page, or what `remote.json` says. */
interface Build {
  /** Of the shell, the file name of its main script, which is all that a page knows about its own release. */
  readonly version: string;
  readonly page?: string;
  readonly remote?: RegisteredRemote;
}

/** A release that is read from the front-end's server, to give it to visitors. */
interface Chosen {
  readonly version: string;
  readonly file: PolledFile<Build>;
}

/** One front-end: its servers, its deployed build, the releases that were chosen instead, and what pages report about them. */
export class FrontEnd {
  /** `shell`, or the remote's name. */
  readonly #name: string;
  readonly #log: Logger;
  /** Its servers. */
  readonly upstream: Upstream;
  readonly #onChange: () => void;
  readonly #figures = new CountedFigures();
  readonly #deployed: PolledFile<Build>;
  /** Servers of earlier releases of the kit, and those that keep no releases, have no such file. */
  readonly #kept: PolledFile<KeptReleases>;
  #orders: Orders = {};
  #served: Chosen | undefined;
  #canary: Chosen | undefined;

  /** @param onChange - called when visitors get something else */
  constructor({ log, pollEveryMs, ended }: Context, upstream: Upstream, onChange: () => void) {
    this.#name = upstream.name;
    this.#log = log.child({ remote: upstream.name });
    this.upstream = upstream;
    this.#onChange = onChange;
    this.#deployed = this.#open('');
    this.#kept = new PolledFile({
      replicas: upstream.replicas,
      path: '/releases.json',
      log: this.#log,
      headers: { [releasesHeader]: 'read' },
      optional: true,
      read: (text) => keptReleases.parse(JSON.parse(text)),
    });
    // A new build mustn't wait for a file that hangs.
    void repeat(() => this.#readDeployed(), pollEveryMs, ended);
    void repeat(() => this.#readKept(), pollEveryMs, ended);
  }

  /** What all visitors get but those of a canary: the chosen release once it could be read, otherwise the deployed one. */
  get #build(): Build | undefined {
    return this.#served?.file.content ?? this.#deployed.content;
  }

  /** The remote that visitors get. */
  get remote(): RegisteredRemote | undefined {
    return this.#build?.remote;
  }

  /** The shell's page that visitors get. */
  get page(): string | undefined {
    return this.#build?.page;
  }

  /** The canary, once it can be served. */
  get runningCanary(): RunningCanary | undefined {
    const { canary } = this.#orders;
    const remote = this.#canary?.file.content?.remote;
    return canary && remote ? { canary, remote } : undefined;
  }

  /** The versions that visitors get now, as their pages report them; of the shell, the name of its main script. */
  get versions(): readonly string[] {
    return [this.#build?.version, this.runningCanary?.remote.version].filter((version) => version !== undefined);
  }

  /** Note to operators if another release than the deployed one is served. */
  get note(): string | undefined {
    return this.#served?.file.content && this.#orders.served?.note;
  }

  /** Counts what a page has reported about a version, if visitors get it now. */
  count(reported: string | undefined, what: Reported, network: string): void {
    const version = reported !== undefined && this.versions.includes(reported) && this.#releaseOf(reported);
    if (!version) return;
    const { runningCanary } = this;
    const canary = runningCanary?.canary.version === version ? runningCanary.canary.id : 0;
    this.#figures.count({ version, canary, what, network });
  }

  /** What to report to svc-identity. @returns call `failed` if it couldn't be sent */
  report(): { readonly report: GatewayReport['frontEnds'][string]; readonly failed: () => void } {
    const { figures, failed } = this.#figures.take();
    const served = this.#build?.version;
    const serves = served === undefined ? undefined : this.#releaseOf(served);
    const trouble = troubleOf(this.#served) ?? troubleOf(this.#canary);
    return {
      failed,
      report: {
        ...(serves !== undefined && { serves }),
        ...(this.runningCanary && { canary: this.runningCanary.canary.id }),
        ...(trouble !== undefined && { trouble: trouble.slice(0, 300) }),
        ...(this.#kept.content && { kept: this.#kept.content }),
        figures: [...figures],
      },
    };
  }

  /** Does what was decided. */
  async follow(orders: Orders): Promise<void> {
    const before = JSON.stringify(this.#orders);
    this.#orders = orders;
    if (before === JSON.stringify(orders)) return;
    this.#log.info(orders, orders.canary ? 'canary follows' : 'releases follow');
    this.#served = this.#choose(this.#served, orders.served?.version);
    this.#canary = this.#choose(this.#canary, orders.canary?.version);
    this.#onChange();
    await this.#readChosen();
  }

  /** Finds its servers, and reads what they have now. */
  async poll(): Promise<void> {
    await this.upstream.replicas.poll();
    await Promise.all([this.#readDeployed(), this.#readKept()]);
  }

  async #readDeployed(): Promise<void> {
    if (!(await this.#deployed.poll())) return;
    this.#log.info({ version: this.#deployed.content?.version }, 'remote registered');
    this.#onChange();
  }

  /** Reads which releases are kept, and those that were chosen: they don't change, but the server keeps what is asked for. */
  async #readKept(): Promise<void> {
    await Promise.all([this.#kept.poll(), this.#readChosen()]);
  }

  async #readChosen(): Promise<void> {
    const read = async (chosen: Chosen | undefined): Promise<void> => {
      if (await chosen?.file.poll()) this.#onChange();
    };
    await Promise.all([read(this.#served), read(this.#canary)]);
  }

  /** @param folder - of one of its releases; empty for the deployed build */
  #open(folder: string): PolledFile<Build> {
    return new PolledFile({
      replicas: this.upstream.replicas,
      path: `/${folder}${this.#name === 'shell' ? 'index.html' : 'remote.json'}`,
      log: this.#log,
      ...(folder !== '' && { headers: { [releasesHeader]: 'read' } }),
      read: (text) => this.#buildIn(text),
    });
  }

  /** @throws Error if this isn't a build of this front-end */
  #buildIn(text: string): Build {
    const name = this.#name;
    if (name !== 'shell') {
      const remote = parseRemote(text, name);
      return { version: remote.version, remote };
    }
    if (!text.includes('</head>') || !text.includes('<title>'))
      throw new Error('the shell sent a page without head or title');
    return { version: /<script [^>]*src="\/shell\/(main\.[^"]+)"/.exec(text)?.[1] ?? '', page: text };
  }

  /** The release of a reported version: a page of the shell knows only its main script. */
  #releaseOf(reported: string): string | undefined {
    if (this.#name !== 'shell') return reported;
    return this.#kept.content?.releases.find(({ main }) => main === reported)?.version;
  }

  #choose(current: Chosen | undefined, version: string | undefined): Chosen | undefined {
    if (version === undefined) return undefined;
    if (current?.version === version) return current;
    return { version, file: this.#open(`releases/${version}/`) };
  }
}

const troubleOf = (chosen: Chosen | undefined): string | undefined =>
  chosen?.file.trouble && `${chosen.version} can’t be read from its server: ${chosen.file.trouble}`;
