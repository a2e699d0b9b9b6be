import { useQuery, type ApiProblem } from '@clinic/app-kit';
import { useCloseQuestion } from '@clinic/app-kit/records';
import { Button, Dialog, ErrorState, Spinner } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useId, useState } from 'react';
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
  const { data, error, refetch } = useQuery<StoredVersion, ApiProblem>({
    // Loaded once each time it opens: what somebody is editing doesn't change under their hands.
    queryKey: ['getMedicine', id],
    queryFn: () => loadStoredVersion(id),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog
      open
      wide
      title={`Edit ${name}`}
      onClose={close}
      actions={
        <>
          <Button variant="ghost" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={busy} aria-disabled={!data || undefined}>
            Save
          </Button>
        </>
      }
    >
      {error && !data && (
        <ErrorState title="Error loading the medicine" text={error.message} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Spinner />}
      {data && (
        <EditForm id={formId} opened={data} today={today} onUnsaved={setUnsaved} onBusy={setBusy} onDone={onClose} />
      )}
      <ConfirmDialog {...question}>Your changes to {name} aren’t saved yet.</ConfirmDialog>
    </Dialog>
  );
}
