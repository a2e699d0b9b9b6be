import { useState } from 'react';
import { useLeaveQuestion, type LeaveQuestion } from './use-leave-question.ts';

/** Properties of the `ConfirmDialog` that asks; what isn't saved is its text. */
export interface CloseQuestion extends LeaveQuestion {
  readonly title: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly destructive: true;
}

/**
 * Asks before a dialog with unsaved edits is closed, or its page is left.
 *
 * @param unsaved - there is something to lose
 * @param onClose - closes the dialog
 * @returns `close` for the dialog's ways out, and the question's properties, which the dialog renders
 */
export function useCloseQuestion(
  unsaved: boolean,
  onClose: () => void,
): { readonly close: () => void; readonly question: CloseQuestion } {
  const [closing, setClosing] = useState(false);
  const leaving = useLeaveQuestion(unsaved);
  const asked = closing ? { open: true, onConfirm: onClose, onCancel: () => setClosing(false) } : leaving;
  return {
    close: () => (unsaved ? setClosing(true) : onClose()),
    question: {
      ...asked,
      title: 'Close without saving?',
      confirmLabel: 'Close without saving',
      cancelLabel: 'Keep editing',
      destructive: true,
    },
  };
}
