import { notify } from '@clinic/app-kit';
import { carryDrafts, readStorage, writeStorage } from '@clinic/app-kit/host';

/** Where this tab stores why it was reloaded. */
const storageKey = 'clinic:renewed';

/** A reason, and whether the visitor has been notified. */
interface Renewal {
  readonly reason: string;
  readonly told: boolean;
}

function remembered(): Renewal | undefined {
  const text = readStorage('sessionStorage', storageKey);
  return text === undefined ? undefined : (JSON.parse(text) as Renewal);
}

/** @returns whether the browser keeps it */
const remember = (renewal: Renewal): boolean => writeStorage('sessionStorage', storageKey, JSON.stringify(renewal));

/** Reloads the page, keeping what was typed into its forms, except passwords. */
export function reloadKeepingDrafts(): void {
  carryDrafts();
  location.reload();
}

/**
 * Whether a reload for this reason hasn't been tried yet. In a browser that keeps nothing none may be: the page would reload
 * for ever.
 */
export function mayRenew(reason: string): boolean {
  const known = remembered() ?? { reason: '', told: true };
  return known.reason !== reason && remember(known);
}

/** Reloads the page for a newer version, once. @param reason - which part is newer */
export function renewOnce(reason: string): void {
  if (!mayRenew(reason)) return;
  remember({ reason, told: false });
  reloadKeepingDrafts();
}

/** Notifies the visitor after such a reload. */
export function tellOfRenewal(): void {
  const renewal = remembered();
  if (!renewal || renewal.told) return;
  remember({ ...renewal, told: true });
  notify.info('We’ve updated this page', 'What you’d typed is still there.');
}
