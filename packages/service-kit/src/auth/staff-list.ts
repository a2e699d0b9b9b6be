import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { internalHeaders } from './internal-calls.ts';
import type { Logger } from '../observability/log.ts';

/** Where svc-identity serves the staff list to other services; the gateway never routes it. */
export const staffPath = '/internal/staff';

/** An account that has, or once had, a staff role. */
export const staffAccount = z.object({
  /** The account. */
  id: z.string(),
  /** Lower case. */
  email: z.string(),
  role: z.enum(['admin', 'doctor', 'patient', 'pharmacist']),
  /** Has the role now: confirmed, not switched off, not being deleted. */
  active: z.boolean(),
  /** The person's details in the invitation; a service creates their profile from it if there is none yet. */
  profile: z.record(z.string(), z.unknown()).optional(),
});
export type StaffAccount = z.output<typeof staffAccount>;

const staffList = z.array(staffAccount);

/** Milliseconds between two polls if no change is reported, and between retries after a failure. */
const pollEvery = 60_000;
const retryEvery = 1_000;

/** Syncs a service's own records with the current staff. Must be safe to repeat and to run in several replicas. */
export type OnStaff = (staff: readonly StaffAccount[]) => Promise<void>;

/** Keeps a service in sync with the staff list. */
export class StaffFollower {
  readonly #urls: readonly string[];
  readonly #secret: string;
  readonly #onStaff: OnStaff;
  readonly #log: Logger;
  readonly #stop: AbortSignal;
  #wake: (() => void) | undefined;
  #changed = true;

  /**
   * @param urls - svc-identity's replicas, tried in turn
   * @param secret - of internal calls
   */
  constructor(urls: readonly string[], secret: string, onStaff: OnStaff, log: Logger, stop: AbortSignal) {
    this.#urls = urls;
    this.#secret = secret;
    this.#onStaff = onStaff;
    this.#log = log;
    this.#stop = stop;
  }

  /** Call this when someone's rights have changed: polls the list immediately. */
  changed(): void {
    this.#changed = true;
    this.#wake?.();
  }

  /** Runs until the service stops. */
  async follow(): Promise<void> {
    let failures = 0;
    for (let attempt = 0; !this.#stop.aborted; attempt += 1) {
      this.#changed = false;
      try {
        await this.#onStaff(await this.#read(attempt));
        if (failures > 0) this.#log.info({ failures }, 'staff list is available again');
        failures = 0;
      } catch (error) {
        if (this.#stop.aborted) return;
        failures += 1;
        if (failures === 1 || failures % 60 === 0)
          this.#log.warn({ reason: (error as Error).message, failures }, 'staff list poll failed, will retry');
      }
      if (!this.#changed || failures > 0) await this.#pause(failures > 0 ? retryEvery : pollEvery);
    }
  }

  async #read(attempt: number): Promise<StaffAccount[]> {
    const url = `${this.#urls[attempt % this.#urls.length] ?? ''}${staffPath}`;
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...internalHeaders(this.#secret) },
      signal: AbortSignal.any([this.#stop, AbortSignal.timeout(5_000)]),
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
    return staffList.parse(await response.json());
  }

  async #pause(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    // Ends early on a change, or when the service stops.
    await delay(milliseconds, undefined, { signal: AbortSignal.any([this.#stop, woken.signal]) }).catch(
      () => undefined,
    );
    this.#wake = undefined;
  }
}
