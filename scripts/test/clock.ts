// `--clock`: runs tests as if they began at another time, with Debian's libfaketime.
import { globSync } from 'node:fs';
import { clinicInstant } from '@clinic/contracts';
import { UserError } from '../log.ts';

/** The library, on Debian and Ubuntu; FAKETIME_LIB names it elsewhere. */
const usual = '/usr/lib/*/faketime/libfaketimeMT.so.1';

let chosen: number | undefined;

/**
 * The tests that start from now on begin at this time. The clocks of the tests' clinic last changed in 2009: from 23:00 to
 * midnight on 19 June, and back from midnight to 23:00 on 31 December (17:00 UTC both times).
 *
 * @param text - such as `2026-12-31T23:58` or `2026-12-31T23:59:50` in the clinic's zone, or in another one:
 * `2026-12-31T23:58[Europe/Berlin]`
 * @throws UserError if it isn't a time
 */
export function setClock(text: string): void {
  chosen = readClock(text);
}

/** @returns milliseconds since 1970 */
export function readClock(text: string): number {
  const [, date, time, seconds = 0, zone = 'Asia/Dhaka'] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d))?(?:\[([\w/+-]+)\])?$/.exec(text) ?? [];
  try {
    if (date !== undefined && time !== undefined)
      return clinicInstant({ date, time }, zone).getTime() + Number(seconds) * 1_000;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new UserError(`--clock is '${text}', but must be a time such as 2026-12-31T23:58 or 2026-12-31T23:58[UTC].`);
}

/**
 * Settings of a program, and of all that it starts, that begins now; empty without `--clock`. Timers and what measures
 * durations keep the real time.
 *
 * @throws UserError if libfaketime isn't installed
 */
export function clockEnv(): Readonly<Record<string, string>> {
  if (chosen === undefined) return {};
  const library = process.env['FAKETIME_LIB'] ?? globSync(usual)[0];
  if (library === undefined)
    throw new UserError('--clock needs libfaketime (Debian: apt-get install libfaketime), or its path: FAKETIME_LIB=…');
  const seconds = Math.round((chosen - Date.now()) / 1_000);
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
  };
}
