import { useLocation } from '@clinic/app-kit';
import { useEffect, useRef, useState, type RefObject } from 'react';

export interface Disclosure {
  readonly open: boolean;
  readonly toggle: () => void;
  /** For the button, which gets the focus back on Escape. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** A menu that opens and closes; it closes on Escape and on every navigation, even to the current page. */
export function useDisclosure(): Disclosure {
  const { key } = useLocation();
  // Open at one history entry means closed at every other.
  const [openOn, setOpenOn] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const open = openOn === key;
  // Reset at once, or going back to that entry would open it again.
  if (openOn !== undefined && !open) setOpenOn(undefined);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenOn(undefined);
      button.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  return { open, toggle: () => setOpenOn(open ? undefined : key), button };
}
