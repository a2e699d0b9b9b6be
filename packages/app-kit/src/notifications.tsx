import { useEffect, useState, useSyncExternalStore } from 'react';
import { dismiss, notifications, type Notification, type NotificationKind } from './notify.ts';

/** Milliseconds a notification stays by itself; pointing at it or focusing it keeps it. Errors stay until dismissed. */
const stay = 12_000;

const looks: Readonly<Record<NotificationKind, string>> = {
  success: 'alert-success',
  error: 'alert-error',
  info: 'alert-info',
};

/** The region where {@link notify} shows what it is given; the shell has it once, outside of all pages. */
export function Notifications() {
  const shown = useSyncExternalStore(notifications.subscribe, notifications.get);
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 sm:items-end">
      {/* Both regions are always there: screen readers only announce what is added to a region they know. */}
      <div role="alert" aria-live="assertive" className="flex w-full max-w-sm flex-col gap-2">
        {shown.filter(({ kind }) => kind === 'error').map((item) => <Item key={item.id} item={item} />)}
      </div>
      <output className="flex w-full max-w-sm flex-col gap-2">
        {shown.filter(({ kind }) => kind !== 'error').map((item) => <Item key={item.id} item={item} />)}
      </output>
    </div>
  );
}

function Item({ item }: { readonly item: Notification }) {
  const [held, setHeld] = useState(false);
  const vanishes = item.kind !== 'error' && !held;
  useEffect(() => {
    if (!vanishes) return;
    const timer = setTimeout(() => dismiss(item.id), stay);
    return () => clearTimeout(timer);
  }, [item.id, vanishes]);
  return (
    <span
      className={`alert ${looks[item.kind]} pointer-events-auto grid-cols-[1fr_auto] py-2 pe-2 text-start shadow-lg`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="min-w-0 wrap-break-word whitespace-pre-line">{item.text}</span>
      <button type="button" className="btn btn-ghost btn-square" aria-label={`Dismiss: ${item.text}`} onClick={() => dismiss(item.id)}>
        <svg viewBox="0 0 24 24" className="size-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" aria-hidden="true">
          <path d="M6 6l12 12M18 6L6 18" />
        </svg>
      </button>
    </span>
  );
}
