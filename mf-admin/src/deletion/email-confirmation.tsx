import { Button, TextField } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useState, type SyntheticEvent } from 'react';

interface EmailConfirmationProps {
  /** The address to type, lower case. */
  readonly email: string;
  readonly label?: string;
  /** Shown if another address is typed. */
  readonly mismatch: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  /** Whether what was confirmed is running. */
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Confirms a deletion: the account's email address has to be typed. */
export function EmailConfirmation({
  email,
  label,
  mismatch,
  confirmLabel,
  cancelLabel,
  busy = false,
  onConfirm,
  onCancel,
}: EmailConfirmationProps) {
  const [typed, setTyped] = useState('');
  const [mistyped, setMistyped] = useState(false);

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const right = typed.trim().toLowerCase() === email;
    setMistyped(!right);
    if (right) onConfirm();
  }

  return (
    <form noValidate aria-label={label} className="grid gap-4" onSubmit={submit}>
      <TextField
        label={
          <>
            Type <EmailText email={email} /> to confirm
          </>
        }
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={mistyped ? mismatch : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" icon="trash" busy={busy}>
          {confirmLabel}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {cancelLabel}
        </Button>
      </div>
    </form>
  );
}
