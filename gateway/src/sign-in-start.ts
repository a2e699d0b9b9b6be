import type { Logger } from 'pino';
import { pollFile, type PolledFile } from './replicas/polled-file.ts';
import type { GatewaySettings } from './settings.ts';

/** Milliseconds after which pages come without sign-in: less than a container has until it counts as unhealthy. */
const patienceMs = 60_000;

/**
 * Whether the demo's sign-in has started. After a restart of the machine all containers start at once and the emulator takes
 * longest, so the gateway waits for its first answer before it says that it is ready.
 */
export class SignInStart {
  readonly #file: PolledFile | undefined;
  readonly #until = Date.now() + patienceMs;
  #answered = false;

  constructor({ AUTH_EMULATOR_URL: url }: GatewaySettings, everyMs: number, log: Logger) {
    if (url === undefined) return;
    this.#file = pollFile({
      urls: [`${url}/`],
      everyMs,
      log,
      onChange: () => {
        this.#answered = true;
        this.#file?.stop();
      },
    });
  }

  get ready(): boolean {
    return this.#file === undefined || this.#answered || Date.now() > this.#until;
  }

  async poll(): Promise<void> {
    if (!this.#answered) await this.#file?.poll();
  }

  stop(): void {
    this.#file?.stop();
  }
}
