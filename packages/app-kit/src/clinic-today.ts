import { useMemo, useSyncExternalStore } from 'react';
import { clinicMoment, type ClinicMoment } from '@clinic/contracts/clinic-time';
import { readConfig } from './config.ts';

// Not shared by the shell: a remote brings its own copy, and runs in a shell that is older than this file.

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Looks at the clock when each minute begins, and when somebody comes back to a page whose timers slept. */
function follow(listener: () => void): () => void {
  if (listeners.size === 0) {
    lookAtNextMinute();
    for (const [target, event] of wakeUps()) target.addEventListener(event, look);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    for (const [target, event] of wakeUps()) target.removeEventListener(event, look);
  };
}

const wakeUps = () => [[document, 'visibilitychange'], [window, 'focus'], [window, 'pageshow']] as const;

function look(): void {
  for (const listener of listeners) listener();
}

function lookAtNextMinute(): void {
  timer = setTimeout(() => {
    look();
    lookAtNextMinute();
  }, 60_000 - (Date.now() % 60_000));
}

function now(): ClinicMoment {
  return clinicMoment(new Date(), readConfig().clinicTimeZone);
}

/** The clinic's date at this moment, 'yyyy-mm-dd', wherever the browser is: for what happens at a press of a button. */
export function clinicToday(): string {
  return now().date;
}

/** {@link clinicToday} for what is on the screen: it changes at the clinic's midnight, also on a page that is left open. */
export function useClinicToday(): string {
  return useSyncExternalStore(follow, clinicToday);
}

function minute(): string {
  const { date, time } = now();
  return `${date} ${time}`;
}

/** Date and time of day at the clinic; it changes with each minute. */
export function useClinicNow(): ClinicMoment {
  const shown = useSyncExternalStore(follow, minute);
  return useMemo(() => {
    const [date = '', time = ''] = shown.split(' ');
    return { date, time };
  }, [shown]);
}
