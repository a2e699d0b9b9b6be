import type { RegisteredRemote } from '@clinic/contracts/remotes';
import {
  keptReleases,
  releasesHeader,
  type GatewayOrders,
  type GatewayReport,
  type KeptReleases,
} from '@clinic/service-kit/deployments/gateway-report';
import type { Logger } from 'pino';
import { pollFile, type PolledFile } from '../replicas/polled-file.ts';
import { remoteOf } from '../registry/remote-schema.ts';
import { CountedFigures } from './counted-figures.ts';

/** What was decided about one front-end. */
type Orders = GatewayOrders['frontEnds'][string];

/** A running canary and the remote that its share of visitors gets. */
export interface LiveCanary {
  readonly canary: NonNullable<Orders['canary']>;
  readonly remote: RegisteredRemote;
}

export interface FrontEndOptions {
  /** `shell`, or the remote's name. */
  readonly name: string;
  /** Addresses of its servers. */
  readonly urls: readonly string[];
  /** Milliseconds between polls. */
  readonly everyMs: number;
  /** Called when visitors get something else. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/** A release that is read from the front-end's server, to give it to visitors. */
interface Chosen {
  readonly version: string;
  readonly file: PolledFile;
  /** Its `remote.json`, or the shell's page. */
  text?: string;
  remote?: RegisteredRemote;
  trouble?: string | undefined;
}

/** One front-end: which releases its server keeps, which were chosen, and what pages report about them. */
export class FrontEnd {
  readonly figures = new CountedFigures();
  readonly #options: FrontEndOptions;
  readonly #listing: PolledFile;
  #kept: KeptReleases | undefined;
  #orders: Orders = {};
  #served: Chosen | undefined;
  #canary: Chosen | undefined;

  constructor(options: FrontEndOptions) {
    this.#options = options;
    const { urls, everyMs, log } = options;
    this.#listing = pollFile({
      urls: urls.map((url) => `${url}/releases.json`),
      everyMs,
      log,
      headers: { [releasesHeader]: 'read' },
      // A server that keeps no releases, or of an earlier release of the kit.
      mayBeMissing: true,
      onChange: (text) => {
        this.#kept = keptReleases.parse(JSON.parse(text));
      },
      onMissing: () => {
        this.#kept = undefined;
      },
    });
  }

  /** The remote to serve instead of the deployed one, if that was decided and it could be read. */
  get instead(): RegisteredRemote | undefined {
    return this.#served?.remote;
  }

  /** The shell's page to serve instead of the deployed one. */
  get page(): string | undefined {
    return this.#served?.text;
  }

  /** The canary, once it can be served. */
  get live(): LiveCanary | undefined {
    const { canary } = this.#orders;
    const remote = this.#canary?.remote;
    return canary && remote ? { canary, remote } : undefined;
  }

  /** Note to operators if another release than the deployed one is served. */
  get note(): string | undefined {
    return this.#served?.text === undefined ? undefined : this.#orders.served?.note;
  }

  /** The shell's release with a main script, which is all that a page knows about its own release. */
  releaseWith(script: string): string | undefined {
    return this.#kept?.releases.find(({ main }) => main === script)?.version;
  }

  /** What to report. @param serves - the version that visitors get */
  report(serves: string | undefined): Omit<GatewayReport['frontEnds'][string], 'figures'> {
    const trouble = this.#served?.trouble ?? this.#canary?.trouble;
    return {
      ...(serves !== undefined && { serves }),
      ...(this.live && { canary: this.live.canary.id }),
      ...(trouble !== undefined && { trouble: trouble.slice(0, 300) }),
      ...(this.#kept && { kept: this.#kept }),
    };
  }

  /** Does what was decided. */
  async follow(orders: Orders): Promise<void> {
    const before = JSON.stringify(this.#orders);
    this.#orders = orders;
    if (before === JSON.stringify(orders)) return;
    const { log, name, onChange } = this.#options;
    log.info({ remote: name, ...orders }, orders.canary ? 'canary follows' : 'releases follow');
    this.#served = this.#choose(this.#served, orders.served?.version);
    this.#canary = this.#choose(this.#canary, orders.canary?.version);
    onChange();
    await Promise.all([this.#served?.file.poll(), this.#canary?.file.poll()]);
  }

  async poll(): Promise<void> {
    await this.#listing.poll();
  }

  stop(): void {
    this.#listing.stop();
    this.#served?.file.stop();
    this.#canary?.file.stop();
  }

  #choose(current: Chosen | undefined, version: string | undefined): Chosen | undefined {
    if (current?.version === version) return current;
    current?.file.stop();
    if (version === undefined) return undefined;
    const { name, urls, everyMs, log, onChange } = this.#options;
    const file = name === 'shell' ? 'index.html' : 'remote.json';
    const chosen: Chosen = {
      version,
      file: pollFile({
        urls: urls.map((url) => `${url}/releases/${version}/${file}`),
        // It doesn't change; the server keeps what is asked for.
        everyMs: Math.max(everyMs, 2000),
        log: log.child({ remote: name, version }),
        headers: { [releasesHeader]: 'read' },
        onChange: (text) => {
          if (name !== 'shell') chosen.remote = remoteOf(name, text);
          chosen.text = text;
          onChange();
        },
        onTrouble: (trouble) => {
          chosen.trouble = trouble && `${version} can’t be read from its server: ${trouble}`;
        },
      }),
    };
    return chosen;
  }
}
