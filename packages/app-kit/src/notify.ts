import { createStore } from './store.ts';

export type NotificationKind = 'success' | 'error' | 'info';

export interface Notification {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly text: string;
  /** The reason, or what to do next. */
  readonly detail?: string;
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

const show = (kind: NotificationKind): Notify => (text, detail) => {
  lastId += 1;
  const id = lastId;
  const others = notifications.get().filter((other) => other.text !== text);
  notifications.set([...others, { id, kind, text, detail }].slice(-most));
  return () => dismiss(id);
};

/** Tells the visitor something at the edge of the page; screen readers read it out, errors at once. */
export const notify = { success: show('success'), error: show('error'), info: show('info') };
