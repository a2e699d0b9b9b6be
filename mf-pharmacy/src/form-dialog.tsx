import type { ApiProblem } from '@clinic/app-kit';
import { Button, Dialog, ErrorState, Spinner, type IconName } from '@clinic/ui';
import type { ReactNode } from 'react';

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Of the form inside. */
  readonly formId: string;
  readonly submitLabel: string;
  readonly submitIcon?: IconName;
  readonly busy: boolean;
  /** The medicine that the form starts from, if it is loaded first; the children wait for it. */
  readonly medicine?: { readonly data?: unknown; readonly error: ApiProblem | null; readonly refetch: () => unknown };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form: its button submits, and waits for what the form starts from. */
export function FormDialog(props: FormDialogProps) {
  const { title, wide, formId, submitLabel, submitIcon, busy, medicine, onClose, children } = props;
  const isLoaded = !medicine || Boolean(medicine.data);
  return (
    <Dialog
      open
      wide={wide}
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} icon={submitIcon} busy={busy} aria-disabled={!isLoaded || undefined}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {!isLoaded &&
        (medicine.error ? (
          <ErrorState
            title="Error loading the medicine"
            text={medicine.error.message}
            onRetry={() => void medicine.refetch()}
          />
        ) : (
          <Spinner />
        ))}
      {children}
    </Dialog>
  );
}
