import { dismiss, notifications, type Notification, type NotificationKind } from '@clinic/app-kit/host';
import { Button, classNames, Icon } from '@clinic/ui';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useRoomBelow } from './use-room-below.ts';

/** Milliseconds a notification stays; pointing at it or focusing it keeps it. Errors and offers stay until dismissed. */
const stay = 12_000;

const styles: Readonly<Record<NotificationKind, { readonly tone: string; readonly icon: string }>> = {
  success: { tone: 'green', icon: 'check-circle' },
  error: { tone: 'red', icon: 'alert-circle' },
  info: { tone: 'blue', icon: 'info' },
};

/** Renders the notifications of `notify`; it survives every change of page. */
export function Notifications() {
  const shown = useSyncExternalStore(notifications.subscribe, notifications.get);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = region.current;
    element?.showPopover?.();
    return () => element?.hidePopover?.();
  }, []);
  useEffect(() => {
    // A modal dialog covers everything except what entered the top layer after it.
    if (shown.length === 0 || !document.querySelector('dialog[open]')) return;
    region.current?.hidePopover?.();
    region.current?.showPopover?.();
  }, [shown]);
  useRoomBelow(region, shown);
  return (
    <div
      ref={region}
      popover="manual"
      className="pointer-events-none fixed inset-x-0 top-auto bottom-0 z-50 m-0 flex h-auto w-auto max-w-none flex-col items-center gap-3 overflow-visible border-0 bg-transparent p-4 sm:items-end sm:p-6"
    >
      {/* Both regions are always rendered: screen readers only announce additions to a region they know. */}
      <div role="alert" className="grid w-full max-w-md gap-3">
        {shown
          .filter(({ kind }) => kind === 'error')
          .map((item) => (
            <Item key={item.id} item={item} />
          ))}
      </div>
      <output className="grid w-full max-w-md gap-3">
        {shown
          .filter(({ kind }) => kind !== 'error')
          .map((item) => (
            <Item key={item.id} item={item} />
          ))}
      </output>
    </div>
  );
}

function Item({ item: { id, kind, text, detail, action } }: { readonly item: Notification }) {
  const [held, setHeld] = useState(false);
  const vanishes = kind !== 'error' && !action && !held;
  useEffect(() => {
    if (!vanishes) return;
    const timer = setTimeout(() => dismiss(id), stay);
    return () => clearTimeout(timer);
  }, [id, vanishes]);
  const { tone, icon } = styles[kind];
  return (
    <span
      // Behind a modal dialog nothing can be pressed, so offers wait until it closes.
      className={classNames(
        'ui-alert pointer-events-auto bg-base-100 shadow-lift',
        action && '[body:has(dialog:modal)_&]:hidden',
      )}
      data-tone={tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={icon} />
      <span className="ui-alert-text">
        <span className="ui-alert-title">{text}</span>
        {detail && <span className="block text-muted">{detail}</span>}
        {action && (
          <Button size="sm" className="mt-2" icon="refresh" onClick={action.run}>
            {action.label}
          </Button>
        )}
      </span>
      <button
        type="button"
        className="ui-icon-button"
        aria-label={`Dismiss: ${text}`}
        onClick={() => {
          dismiss(id);
          action?.dismissed();
        }}
      >
        <Icon name="x" size={18} />
      </button>
    </span>
  );
}
