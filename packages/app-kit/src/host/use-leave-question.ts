import { useEffect, useRef, useState } from 'react';
import { askBeforeLeaving } from './leave.ts';

/** Properties of the dialog that asks. */
export interface LeaveQuestion {
  readonly open: boolean;
  /** Leaves the page; its edits are lost. */
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/**
 * Asks before a page with unsaved edits is left for another one; the browser asks in its own words before the tab is closed
 * or reloaded. For forms whose values aren't kept as a draft.
 *
 * @param unsaved - there is something to lose
 * @returns for a `ConfirmDialog`, which the page renders
 */
export function useLeaveQuestion(unsaved: boolean): LeaveQuestion {
  const [answer, setAnswer] = useState<(leave: boolean) => void>();
  const disarm = useRef<() => void>(undefined);
  useEffect(() => {
    if (!unsaved) return undefined;
    const stop = askBeforeLeaving(() => new Promise((resolve) => setAnswer(() => resolve)));
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    disarm.current = () => {
      stop();
      removeEventListener('beforeunload', ask);
    };
    return () => disarm.current?.();
  }, [unsaved]);

  function close(leave: boolean): void {
    // Leaving may take several steps, such as logging out and the login page: one question is enough.
    if (leave) disarm.current?.();
    setAnswer(undefined);
    answer?.(leave);
  }
  return { open: answer !== undefined, onConfirm: () => close(true), onCancel: () => close(false) };
}
