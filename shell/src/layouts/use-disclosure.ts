import { useLocation } from '@clinic/app-kit';
import { useEffect, useRef, useState, type RefObject } from 'react';

export interface Disclosure {
  readonly open: boolean;
  readonly toggle: () => void;
  /** Goes on the button: Escape gives it the focus back. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** A menu that opens and closes; it closes by itself on Escape and on every navigation, also to the page that is shown. */
export function useDisclosure(): Disclosure {
  const { key } = useLocation();
  // Open at one entry of the history means closed at every other.
  const [openOn, setOpenOn] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const open = openOn === key;
  // Forgotten at once, or coming back to that entry would open it again.
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
