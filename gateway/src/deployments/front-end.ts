import type { RegisteredRemote } from '@clinic/contracts/remotes';
import {
  keptReleases,
  releasesHeader,
  type GatewayOrders,
  type GatewayReport,
  type KeptReleases,
} from '@clinic/service-kit/deployments/gateway-report';
import type { Logger } from 'pino';
import { remoteOf } from '../registry/remote-schema.ts';
import { pollFile, type PolledFile } from '../replicas/polled-file.ts';
import { CountedFigures, type Reported } from './counted-figures.ts';

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

/** A build of a front-end: the shell's page, or what `remote.json` says. */
type Build = { readonly page: string } | { readonly remote: RegisteredRemote };

/** A release that is read from the front-end's server, to give it to visitors. */
interface Chosen {
  readonly version: string;
  readonly file: PolledFile;
  build?: Build;
  trouble?: string | undefined;
}

/** One front-end: its deployed build, the releases that were chosen instead, and what pages report about them. */
export class FrontEnd {
  readonly #options: FrontEndOptions;
  readonly #figures = new CountedFigures();
  readonly #file: PolledFile;
  readonly #listing: PolledFile;
  #deployed: Build | undefined;
  #kept: KeptReleases | undefined;
  #orders: Orders = {};
  #served: Chosen | undefined;
  #canary: Chosen | undefined;

  constructor(options: FrontEndOptions) {
    this.#options = options;
    const { name, urls, everyMs, log, onChange } = options;
    this.#file = pollFile({
      urls: urls.map((url) => `${url}/${this.#fileName}`),
      everyMs,
      log,
      onChange: (text) => {
        this.#deployed = this.#read(text);
        log.info({ remote: name, version: versionOf(this.#deployed) }, 'remote registered');
        onChange();
      },
    });
    this.#listing = pollFile({
      urls: urls.map((url) => `${url}/releases.json`),
      everyMs,
      log,
      headers: { [releasesHeader]: 'read' },
      onChange: (text) => {
        this.#kept = keptReleases.parse(JSON.parse(text));
      },
      // A server that keeps no releases, or of an earlier release of the kit.
      onMissing: () => {
        this.#kept = undefined;
      },
    });
  }

  /** What all visitors get but those of a canary: the chosen release once it could be read, otherwise the deployed one. */
  get #build(): Build | undefined {
    return this.#served?.build ?? this.#deployed;
  }

  /** The remote that visitors get. */
  get remote(): RegisteredRemote | undefined {
    return remoteIn(this.#build);
  }

  /** The shell's page that visitors get. */
  get page(): string | undefined {
    return this.#build && 'page' in this.#build ? this.#build.page : undefined;
  }

  /** The canary, once it can be served. */
  get live(): LiveCanary | undefined {
    const { canary } = this.#orders;
    const remote = remoteIn(this.#canary?.build);
    return canary && remote ? { canary, remote } : undefined;
  }

  /** The versions that visitors get now, as their pages report them; of the shell, the name of its main script. */
  get versions(): readonly string[] {
    return [versionOf(this.#build), this.live?.remote.version].filter((version) => version !== undefined);
  }

  /** Note to operators if another release than the deployed one is served. */
  get note(): string | undefined {
    return this.#served?.build && this.#orders.served?.note;
  }

  /** Counts what a page has reported about a version. */
  count(reported: string, what: Reported): void {
    const version = this.#releaseOf(reported);
    if (version === undefined) return;
    const { live } = this;
    this.#figures.count(version, live?.canary.version === version ? live.canary.id : 0, what);
  }

  /** What to report to svc-identity. @returns call `failed` if it couldn't be sent */
  report(): { readonly report: GatewayReport['frontEnds'][string]; readonly failed: () => void } {
    const { figures, failed } = this.#figures.take();
    const served = versionOf(this.#build);
    const serves = served === undefined ? undefined : this.#releaseOf(served);
    const trouble = this.#served?.trouble ?? this.#canary?.trouble;
    return {
      failed,
      report: {
        ...(serves !== undefined && { serves }),
        ...(this.live && { canary: this.live.canary.id }),
        ...(trouble !== undefined && { trouble: trouble.slice(0, 300) }),
        ...(this.#kept && { kept: this.#kept }),
        figures: [...figures],
      },
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
    await Promise.all([this.#file.poll(), this.#listing.poll()]);
  }

  stop(): void {
    for (const file of [this.#file, this.#listing, this.#served?.file, this.#canary?.file]) file?.stop();
  }

  get #fileName(): string {
    return this.#options.name === 'shell' ? 'index.html' : 'remote.json';
  }

  /** @throws Error if this isn't a build of this front-end */
  #read(text: string): Build {
    const { name } = this.#options;
    if (name !== 'shell') return { remote: remoteOf(name, text) };
    if (!text.includes('</head>') || !text.includes('<title>'))
      throw new Error('the shell sent a page without head or title');
    return { page: text };
  }

  /** The release of a reported version: a page of the shell knows only its main script. */
  #releaseOf(reported: string): string | undefined {
    if (this.#options.name !== 'shell') return reported;
    return this.#kept?.releases.find(({ main }) => main === reported)?.version;
  }

  #choose(current: Chosen | undefined, version: string | undefined): Chosen | undefined {
    if (current?.version === version) return current;
    current?.file.stop();
    if (version === undefined) return undefined;
    const { name, urls, everyMs, log, onChange } = this.#options;
    const chosen: Chosen = {
      version,
      file: pollFile({
        urls: urls.map((url) => `${url}/releases/${version}/${this.#fileName}`),
        // It doesn't change; the server keeps what is asked for.
        everyMs: Math.max(everyMs, 2000),
        log: log.child({ remote: name, version }),
        headers: { [releasesHeader]: 'read' },
        onChange: (text) => {
          chosen.build = this.#read(text);
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

function remoteIn(build: Build | undefined): RegisteredRemote | undefined {
  return build && 'remote' in build ? build.remote : undefined;
}

/** Of the shell, the file name of its main script, which is all that a page knows about its own release. */
function versionOf(build: Build | undefined): string | undefined {
  if (build && 'remote' in build) return build.remote.version;
  return build && (/<script [^>]*src="\/shell\/(main\.[^"]+)"/.exec(build.page)?.[1] ?? '');
}
