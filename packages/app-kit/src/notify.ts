import { createStore } from './store.ts';

export type NotificationKind = 'success' | 'error' | 'info';

export interface Notification {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly text: string;
  /** The reason, or what to do next. */
  readonly detail?: string | undefined;
  /** What can be done about it. Such a notification stays until it is dismissed. */
  readonly action?: NotificationAction | undefined;
}

export interface NotificationAction {
  readonly label: string;
  readonly run: () => void;
  /** The notification was taken away by hand. */
  readonly dismissed: () => void;
}

// More would cover a phone's screen.
const most = 4;
let lastId = 0;

/** What the visitor is being told at the moment; it outlives a change of page. */
export const notifications = createStore<readonly Notification[]>([]);

/** Takes a notification away. */
export function dismiss(id: number): void {
  notifications.set(notifications.get().filter((other) => other.id !== id));
}

/** Shows a notification. @returns takes it away again, once it no longer holds */
type Notify = (text: string, detail?: string) => () => void;

function put(kind: NotificationKind, text: string, detail?: string, action?: NotificationAction): () => void {
  lastId += 1;
  const id = lastId;
  const others = notifications.get().filter((other) => other.text !== text);
  // Those with something to do stay, whatever comes after them.
  const standing = others.filter((other) => other.action);
  const passing = others.filter((other) => !other.action);
  notifications.set([...standing, ...[...passing, { id, kind, text, detail, action }].slice(-most)]);
  return () => dismiss(id);
}

const show = (kind: NotificationKind): Notify => (text, detail) => put(kind, text, detail);

/** Shows a notification with something to do, until that or its dismissal; only the shell calls this. @returns takes it away again */
export const offer = (text: string, detail: string, action: NotificationAction): (() => void) => put('info', text, detail, action);

/** Tells the visitor something at the edge of the page; screen readers read it out, errors at once. */
export const notify = { success: show('success'), error: show('error'), info: show('info') };
