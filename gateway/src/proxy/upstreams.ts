import type { Logger } from 'pino';
import { HashedFiles } from '../files/hashed-files.ts';
import type { SegmentClaims } from '../registry/segment-claims.ts';
import type { Remembered } from '../remembered.ts';
import { Services } from '../registry/services.ts';
import type { Resolve } from '../replicas/resolve.ts';
import type { GatewaySettings } from '../settings.ts';
import { sendText } from '../server/answers.ts';
import { Upstream, type UpstreamOptions } from './upstream.ts';

/** Milliseconds after which pages come without sign-in: less than a container has until it counts as unhealthy. */
const signInWithinMs = 60_000;

export interface UpstreamsOptions {
  readonly settings: GatewaySettings;
  readonly claims: SegmentClaims;
  readonly remembered: Remembered;
  readonly log: Logger;
  readonly metrics: UpstreamOptions['metrics'];
  readonly everyMs: number;
  readonly answerWithinMs?: number | undefined;
  readonly resolve?: Resolve | undefined;
}

/** Everything that requests are forwarded to. */
export class Upstreams {
  readonly services: Services;
  /** The file servers of the remotes, by name. */
  readonly remotes: ReadonlyMap<string, Upstream>;
  /** The shell's file servers. */
  readonly shell: Upstream;
  /** Cache of all front-ends' immutable files. */
  readonly files = new HashedFiles();
  /** The Auth emulator, in demo mode. */
  readonly emulator: Upstream | undefined;
  readonly #signInUntil = Date.now() + signInWithinMs;
  #signInStarted = false;

  constructor({ settings, claims, remembered, ...shared }: UpstreamsOptions) {
    const { sendFile } = this.files;
    const { SERVICES: services, REMOTES, SHELL_URL, DEMO_MODE, AUTH_EMULATOR_URL } = settings;
    this.services = new Services({ services, claims, log: shared.log, upstream: shared, remembered });
    this.remotes = new Map(
      [...REMOTES].map(([name, urls]) => [name, new Upstream({ ...shared, name, urls, sendFile })]),
    );
    this.shell = new Upstream({ ...shared, name: 'shell', urls: SHELL_URL, sendFile });
    if (DEMO_MODE && AUTH_EMULATOR_URL !== undefined)
      this.emulator = new Upstream({
        ...shared,
        name: 'auth-emulator',
        urls: [AUTH_EMULATOR_URL],
        changeOrigin: true,
        onFailure: (req, res) => sendText(req, res, 503, 'The login service isn’t responding. Try again in a moment.'),
      });
  }

  get all(): readonly Upstream[] {
    return [
      ...this.services.all.map(({ upstream }) => upstream),
      ...this.remotes.values(),
      this.shell,
      ...(this.emulator ? [this.emulator] : []),
    ];
  }

  /**
   * Whether the demo's sign-in has been ready once. After a restart of the machine all containers start at once and the
   * emulator takes longest, so the gateway waits for it before it says that it is ready.
   */
  get signInStarted(): boolean {
    this.#signInStarted ||=
      Date.now() > this.#signInUntil ||
      this.emulator?.replicas.all.some(({ readiness }) => readiness === 'ready') !== false;
    return this.#signInStarted;
  }

  /** Whether a part serves files of a front-end. */
  servesFiles(name: string): boolean {
    return name === 'shell' || this.remotes.has(name);
  }

  async poll(): Promise<void> {
    await Promise.all(this.all.map(({ replicas }) => replicas.poll()));
  }

  /** Before a stop, see {@link Upstream.prepareToStop}. */
  prepareToStop(): void {
    this.services.stop();
    for (const upstream of this.all) upstream.prepareToStop();
  }

  destroy(): void {
    for (const upstream of this.all) upstream.destroy();
  }
}
