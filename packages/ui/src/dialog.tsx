import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons at the foot. */
  readonly actions?: ReactNode;
  /** Called on Escape, the close button or a press outside the dialog. */
  readonly onClose: () => void;
  /** `alertdialog` for questions that interrupt. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly wide?: boolean;
}

/** A modal dialog on the native element: the browser traps the focus and makes the page behind it inert. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ title, children, actions, onClose, role, wide }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    // Outside of the document, beside a page's HTML (shell/src/start), nothing can be shown; there nobody has opened one.
    if (dialog?.isConnected) dialog.showModal();
    return () => {
      dialog?.close();
      // The element is removed when the dialog closes, so the browser's own focus return isn't reliable.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      role={role}
      aria-labelledby={titleId}
      className="ui-dialog"
      data-wide={wide || undefined}
      closedby="any"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The browser closed it without asking, as on a second Escape; an effect that runs twice closes and reopens it.
      onClose={() => {
        if (!element.current?.open) onClose();
      }}
    >
      <div className="ui-dialog-box">
        <div className="ui-dialog-head">
          <h2 id={titleId} className="ui-dialog-title">
            <span key={title}>{title}</span>
          </h2>
          {/* A question has its own cancel button, which then comes first and has the focus. */}
          {role !== 'alertdialog' && (
            <button type="button" className="ui-icon-button" aria-label="Close" onClick={onClose}>
              <Icon name="x" />
            </button>
          )}
        </div>
        {children && <div className="ui-dialog-body">{children}</div>}
        {actions && <div className="ui-dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}
