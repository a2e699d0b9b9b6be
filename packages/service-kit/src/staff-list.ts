import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { internalHeaders } from './internal-calls.ts';
import type { Logger } from './log.ts';

/** Where svc-identity tells the other services who is staff; the gateway never routes it. */
export const staffPath = '/internal/staff';

/** An account that has, or once had, a staff role. */
export const staffAccount = z.object({
  /** The account. */
  id: z.string(),
  /** Lower case. */
  email: z.string(),
  role: z.enum(['admin', 'doctor', 'patient', 'pharmacist']),
  /** May act in this role now: confirmed, not switched off, not being deleted. */
  active: z.boolean(),
  /** What an invitation said about the person; a service makes the profile of it when there is none yet. */
  profile: z.record(z.string(), z.unknown()).optional(),
});
export type StaffAccount = z.output<typeof staffAccount>;

const staffList = z.array(staffAccount);

/** Milliseconds between two polls when nothing is reported to have changed, and between tries after a failure. */
const pollEvery = 60_000;
const retryEvery = 1_000;

/** Brings a service's own records in line with who is staff now. Must be safe to repeat and to run in several replicas. */
export type OnStaff = (staff: readonly StaffAccount[]) => Promise<void>;

/** Keeps a service up to date about who is staff. */
export class StaffFollower {
  readonly #urls: readonly string[];
  readonly #secret: string;
  readonly #onStaff: OnStaff;
  readonly #log: Logger;
  readonly #stop: AbortSignal;
  #wake: (() => void) | undefined;
  #changed = true;

  /**
   * @param urls - addresses of svc-identity's replicas, asked in turn
   * @param secret - what it knows the clinic's services by
   */
  constructor(urls: readonly string[], secret: string, onStaff: OnStaff, log: Logger, stop: AbortSignal) {
    this.#urls = urls;
    this.#secret = secret;
    this.#onStaff = onStaff;
    this.#log = log;
    this.#stop = stop;
  }

  /** Something about somebody's rights has changed: the list is read again at once. */
  changed(): void {
    this.#changed = true;
    this.#wake?.();
  }

  /** Follows until the service stops. */
  async follow(): Promise<void> {
    let failures = 0;
    for (let turn = 0; !this.#stop.aborted; turn += 1) {
      this.#changed = false;
      try {
        await this.#onStaff(await this.#read(turn));
        if (failures > 0) this.#log.info({ failures }, 'staff list can be read again');
        failures = 0;
      } catch (error) {
        if (this.#stop.aborted) return;
        failures += 1;
        if (failures === 1 || failures % 60 === 0) this.#log.warn({ reason: (error as Error).message, failures }, 'staff list could not be followed, will retry');
      }
      if (!this.#changed || failures > 0) await this.#pause(failures > 0 ? retryEvery : pollEvery);
    }
  }

  async #read(turn: number): Promise<StaffAccount[]> {
    const url = `${this.#urls[turn % this.#urls.length] ?? ''}${staffPath}`;
    const response = await fetch(url, { headers: { accept: 'application/json', ...internalHeaders(this.#secret) }, signal: AbortSignal.any([this.#stop, AbortSignal.timeout(5_000)]), redirect: 'error' });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return staffList.parse(await response.json());
  }

  async #pause(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    // Ends early when something changes, or when the service stops.
    await delay(milliseconds, undefined, { signal: AbortSignal.any([this.#stop, woken.signal]) }).catch(() => undefined);
    this.#wake = undefined;
  }
}
