import { createStore } from './store.ts';

export type NotificationKind = 'success' | 'error' | 'info';

export interface Notification {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly text: string;
  /** The reason, or what to do next. */
  readonly detail?: string | undefined;
  /** An action to offer, e.g. Undo. */
  readonly action?: NotificationAction | undefined;
}

export interface NotificationAction {
  readonly label: string;
  /** The notification shows that it is in progress until the promise settles, and is removed then. */
  readonly run: () => void | Promise<unknown>;
  /** Called when the notification is dismissed by hand. One with this callback stays until then. */
  readonly dismissed?: () => void;
}

// More would cover a phone's screen.
const most = 4;
let lastId = 0;

/** The notifications on screen; they survive a change of page. */
export const notifications = createStore<readonly Notification[]>([]);

/** Removes a notification. */
export function dismiss(id: number): void {
  notifications.set(notifications.get().filter((other) => other.id !== id));
}

/** Shows a notification, with a button if there is an action. @returns removes it again, once it no longer holds */
type Notify = (text: string, detail?: string, action?: NotificationAction) => () => void;

function put(kind: NotificationKind, text: string, detail?: string, action?: NotificationAction): () => void {
  lastId += 1;
  const id = lastId;
  const others = notifications.get().filter((other) => other.text !== text);
  // Offers stay, whatever follows.
  const standing = others.filter(({ action: offered }) => offered?.dismissed);
  const passing = others.filter(({ action: offered }) => !offered?.dismissed);
  notifications.set([...standing, ...[...passing, { id, kind, text, detail, action }].slice(-most)]);
  return () => dismiss(id);
}

const show =
  (kind: NotificationKind): Notify =>
  (text, detail, action) =>
    put(kind, text, detail, action);

/** Shows a notification with an action, until it is used or dismissed; called by the shell only. @returns removes it again */
export const offer = (text: string, detail: string, action: Required<NotificationAction>): (() => void) =>
  put('info', text, detail, action);

/** Notifies the visitor at the edge of the page; screen readers announce it, errors at once. */
export const notify = { success: show('success'), error: show('error'), info: show('info') };
