import { notify } from '@clinic/app-kit';
import { carryDrafts } from '@clinic/app-kit/host';

/** Where this tab stores why it was reloaded. */
const storageKey = 'clinic:renewed';

/** A reason, and whether the visitor has been notified. */
interface Renewal {
  readonly reason: string;
  readonly told: boolean;
}

function remembered(): Renewal | undefined {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as Renewal);
}

/** Reloads the page, keeping what was typed into its forms, except passwords. */
export function reloadKeepingDrafts(): void {
  carryDrafts();
  location.reload();
}

/** Whether a reload for this reason hasn't been tried yet. */
export function mayRenew(reason: string): boolean {
  return remembered()?.reason !== reason;
}

/** Reloads the page for a newer version, once. @param reason - which part is newer */
export function renewOnce(reason: string): void {
  if (!mayRenew(reason)) return;
  sessionStorage.setItem(storageKey, JSON.stringify({ reason, told: false } satisfies Renewal));
  reloadKeepingDrafts();
}

/** Notifies the visitor after such a reload. */
export function tellOfRenewal(): void {
  const renewal = remembered();
  if (!renewal || renewal.told) return;
  sessionStorage.setItem(storageKey, JSON.stringify({ ...renewal, told: true } satisfies Renewal));
  notify.info('We’ve updated this page', 'What you’d typed is still there.');
}
