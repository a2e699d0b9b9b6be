import { useQuery, type ApiProblem } from '@clinic/app-kit';
import { useCloseQuestion } from '@clinic/app-kit/records';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useId, useState } from 'react';
import { FormDialog } from '../form-dialog.tsx';
import type { Medicine } from '../medicines/medicine.ts';
import { EditForm } from './edit-form.tsx';
import { loadStoredVersion, type StoredVersion } from './stored-version.ts';

export interface EditDialogProps {
  readonly medicine: Pick<Medicine, 'id' | 'name'>;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  readonly onClose: () => void;
}

/** Edits a medicine. Starts from what is stored now: the list may be some seconds old. */
export function EditDialog({ medicine: { id, name }, today, onClose }: EditDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const { close, question } = useCloseQuestion(unsaved, onClose);
  const stored = useQuery<StoredVersion, ApiProblem>({
    // Loaded once each time it opens: what somebody is editing doesn't change under their hands.
    queryKey: ['getMedicine', id],
    queryFn: ({ signal }) => loadStoredVersion(id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <FormDialog
      wide
      title={`Edit ${name}`}
      formId={formId}
      submitLabel="Save"
      busy={busy}
      medicine={stored}
      onClose={close}
    >
      {stored.data && (
        <EditForm
          id={formId}
          opened={stored.data}
          today={today}
          onUnsaved={setUnsaved}
          onBusy={setBusy}
          onDone={onClose}
        />
      )}
      <ConfirmDialog {...question}>Your changes to {name} aren’t saved yet.</ConfirmDialog>
    </FormDialog>
  );
}
