import { createStore } from './store.ts';

export type NotificationKind = 'success' | 'error' | 'info';

export interface Notification {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly text: string;
}

// More would cover a phone's screen.
const most = 4;
let lastId = 0;

/** What the visitor is being told at the moment; it outlives a change of page. */
export const notifications = createStore<readonly Notification[]>([]);

function show(kind: NotificationKind, text: string): void {
  lastId += 1;
  const others = notifications.get().filter((other) => other.text !== text);
  notifications.set([...others, { id: lastId, kind, text }].slice(-most));
}

/** Removes a notification. */
export function dismiss(id: number): void {
  notifications.set(notifications.get().filter((other) => other.id !== id));
}

/** Tells the visitor something in the corner of the page; screen readers read it out, errors at once. */
export const notify = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
};
