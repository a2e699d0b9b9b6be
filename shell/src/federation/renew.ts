import { notify } from '@clinic/app-kit';
import { carryDrafts } from '@clinic/app-kit/host';

/** Where this tab remembers why it was loaded anew. */
const storageKey = 'clinic:renewed';

/** Notes a reason, and whether the visitor has been told. */
interface Renewal {
  readonly reason: string;
  readonly told: boolean;
}

function remembered(): Renewal | undefined {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as Renewal);
}

/** Loads the page anew, with all that was typed into its forms, passwords aside. */
export function reloadKeepingDrafts(): void {
  carryDrafts();
  location.reload();
}

/** Whether loading the page anew for a reason has not been tried yet. */
export function mayRenew(reason: string): boolean {
  return remembered()?.reason !== reason;
}

/** Loads the page anew because a newer version is there, unless that has been tried. @param reason - what is newer */
export function renewOnce(reason: string): void {
  if (!mayRenew(reason)) return;
  sessionStorage.setItem(storageKey, JSON.stringify({ reason, told: false } satisfies Renewal));
  reloadKeepingDrafts();
}

/** Tells the visitor, after such a reload, what has happened. */
export function tellOfRenewal(): void {
  const renewal = remembered();
  if (!renewal || renewal.told) return;
  sessionStorage.setItem(storageKey, JSON.stringify({ ...renewal, told: true } satisfies Renewal));
  notify.info('A new version was loaded', 'It came while this page was open. What you had typed is still there.');
}
