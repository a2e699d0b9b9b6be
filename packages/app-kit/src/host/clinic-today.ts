import { useMemo, useSyncExternalStore } from 'react';
import { clinicMoment, type ClinicMoment } from '@clinic/contracts/clinic-time';
import { readConfig } from './config.ts';

// Not shared by the shell: each remote bundles its own copy, so it also works in a shell that is older than this file.

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Updates at the start of each minute, and when somebody returns to a page whose timers were suspended. */
function follow(listener: () => void): () => void {
  if (listeners.size === 0) {
    updateEachMinute();
    for (const [target, event] of wakeUps()) target.addEventListener(event, update);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    for (const [target, event] of wakeUps()) target.removeEventListener(event, update);
  };
}

const wakeUps = () =>
  [
    [document, 'visibilitychange'],
    [window, 'focus'],
    [window, 'pageshow'],
  ] as const;

function update(): void {
  for (const listener of listeners) listener();
}

function updateEachMinute(): void {
  timer = setTimeout(
    () => {
      update();
      updateEachMinute();
    },
    60_000 - (Date.now() % 60_000),
  );
}

function now(): ClinicMoment {
  return clinicMoment(new Date(), readConfig().clinicTimeZone);
}

/** The clinic's current date, 'yyyy-mm-dd', wherever the browser is: for event handlers. */
export function clinicToday(): string {
  return now().date;
}

/** {@link clinicToday} for what is on screen: it changes at the clinic's midnight, even on a page that stays open. */
export function useClinicToday(): string {
  return useSyncExternalStore(follow, clinicToday);
}

function minute(): string {
  const { date, time } = now();
  return `${date} ${time}`;
}

/** Date and time of day at the clinic, updated every minute. */
export function useClinicNow(): ClinicMoment {
  const shown = useSyncExternalStore(follow, minute);
  return useMemo(() => {
    const [date = '', time = ''] = shown.split(' ');
    return { date, time };
  }, [shown]);
}
