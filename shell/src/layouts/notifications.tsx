import { dismiss, notifications, type Notification, type NotificationKind } from '@clinic/app-kit/host';
import { Button, classNames, Icon } from '@clinic/ui';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useRoomBelow } from './use-room-below.ts';
import { shownEvent } from '../start/shown.ts';

/**
 * Milliseconds a notification stays, with an action and without; pointing at it or focusing it keeps it (WCAG 2.2.1). Errors
 * and offers stay until dismissed.
 */
const stay = { action: 20_000, text: 12_000 };

const behindDialog = '[body:has(dialog:modal)_&]:hidden';

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
    const show = (): void => element?.showPopover?.();
    if (element?.isConnected) show();
    else addEventListener(shownEvent, show, { once: true });
    return () => {
      removeEventListener(shownEvent, show);
      element?.hidePopover?.();
    };
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
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [busy, setBusy] = useState(false);
  const passing = action && !action.dismissed;
  const vanishes = kind !== 'error' && !action?.dismissed && !pointed && !focused && !busy;
  useEffect(() => {
    if (!vanishes) return;
    const timer = setTimeout(() => dismiss(id), action ? stay.action : stay.text);
    return () => clearTimeout(timer);
  }, [id, vanishes, action]);
  useEffect(() => {
    // A first visit has nothing to undo. Without the keys there is still the button.
    if (passing) import(/* webpackChunkName: "undo-keys" */ './undo-keys.ts').catch(console.warn);
  }, [passing]);
  const { element, keepPlace } = useFocusBack();

  async function act(): Promise<void> {
    setBusy(true);
    await action?.run();
    if (passing) dismiss(id);
    else setBusy(false);
  }

  const { tone, icon } = styles[kind];
  return (
    <span
      ref={element}
      // Behind a modal dialog nothing can be pressed, so offers wait until it closes.
      className={classNames('ui-alert pointer-events-auto bg-base-100 shadow-lift', action?.dismissed && behindDialog)}
      data-tone={tone}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={(event) => {
        setFocused(true);
        keepPlace(event.relatedTarget);
      }}
      onBlur={() => setFocused(false)}
    >
      <Icon name={icon} />
      <span className="ui-alert-text">
        <span className="ui-alert-title">{text}</span>
        {detail && <span className="block text-muted">{detail}</span>}
        {action && (
          <Button
            size="sm"
            variant={passing ? 'secondary' : 'primary'}
            className={classNames('mt-2 flex', passing && behindDialog)}
            icon={passing ? undefined : 'refresh'}
            busy={busy}
            aria-label={passing ? `${action.label}: ${text}` : undefined}
            aria-keyshortcuts={passing ? 'Control+Z Meta+Z' : undefined}
            onClick={() => void act()}
          >
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
          action?.dismissed?.();
        }}
      >
        <Icon name="x" size={18} />
      </button>
    </span>
  );
}

/** Moves the focus to where it came from when its notification disappears. */
function useFocusBack() {
  const element = useRef<HTMLSpanElement>(null);
  const place = useRef<EventTarget>(null);
  useLayoutEffect(() => {
    const own = element.current;
    return () => {
      if (own?.contains(document.activeElement) && place.current instanceof HTMLElement) place.current.focus();
    };
  }, []);
  const keepPlace = (from: EventTarget | null): void => {
    if (!(from instanceof Node) || !element.current?.contains(from)) place.current = from;
  };
  return { element, keepPlace };
}
