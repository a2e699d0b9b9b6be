import type { TestContext } from 'node:test';
import { clinicMoment, minuteOf } from '@clinic/contracts/clinic-time';
import { waitUntil } from './wait-until.ts';

/**
 * Stops the clock of this process until the test ends, so that no hour or day begins between two of its steps. Timers
 * and what measures durations go on. Only for a few seconds: services take the leap at the end for an outage of svc-identity's feed.
 */
export function holdClock(t: TestContext): void {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
}

/** Of the clinics of tests. */
const timeZone = 'Asia/Dhaka';

/**
 * Lets the clinic's midnight pass if it is near: for tests of several processes, whose clocks go on.
 *
 * @param minutes - that the test may take
 */
export async function passMidnight(minutes = 1): Promise<void> {
  const isFar = (): boolean => minuteOf(clinicMoment(new Date(), timeZone).time) < 1_440 - minutes;
  await waitUntil(isFar, (minutes + 1) * 60_000, 100);
}
