import { useLocation } from '@clinic/app-kit';
import { useEffect, useRef, useState, type RefObject } from 'react';

export interface Disclosure {
  readonly open: boolean;
  readonly toggle: () => void;
  /** Goes on the button: Escape gives it the focus back. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** A menu that opens and closes; it closes by itself on Escape and when another page is shown. */
export function useDisclosure(): Disclosure {
  const { pathname } = useLocation();
  // Open on one page means closed on every other.
  const [openOn, setOpenOn] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const open = openOn === pathname;
  // Forgotten at once, or coming back to that page would open it again.
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
  return { open, toggle: () => setOpenOn(open ? undefined : pathname), button };
}
