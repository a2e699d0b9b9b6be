import { useChange } from '@clinic/app-kit/records';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button } from '@clinic/ui';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { changesIn, describeChanges, loadStoredVersion, statedOf, type StoredVersion } from './stored-version.ts';
import { MedicineFields } from './medicine-fields.tsx';
import { showFieldErrors, type MedicineForm } from './medicine-form.ts';

export interface EditFormProps {
  /** For the submit button outside the form. */
  readonly id: string;
  readonly opened: StoredVersion;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
  /** Called when edits begin. */
  readonly onUnsaved: (unsaved: boolean) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly onDone: () => void;
}

/** Fields of a medicine; if two people edit it at the same time, the second is notified and decides. */
export function EditForm({ id, opened, today, onUnsaved, onBusy, onDone }: EditFormProps) {
  const [seen, setSeen] = useState(opened);
  const [theirs, setTheirs] = useState<StoredVersion>();
  const { register, handleSubmit, formState, control, setError, reset } = useForm<MedicineForm>({
    defaultValues: statedOf(opened.medicine),
  });
  const expiryDate = useWatch({ control, name: 'expiryDate' });
  const report = useEffectEvent(onUnsaved);
  useEffect(() => report(formState.isDirty), [formState.isDirty]);
  const { id: medicineId } = seen.medicine;
  const change = useChange('updateMedicine', {
    invalidates: ['listMedicines'],
    success: (record) => `${record.medicine.name} is updated.`,
    undo(_, { params, body = {} }, ifMatch) {
      const former = statedOf(seen.medicine);
      return {
        call: 'updateMedicine',
        input: {
          params,
          body: Object.fromEntries(Object.keys(body).map((name) => [name, former[name as keyof typeof former]])),
          ifMatch,
        },
        done: `${former.name} is as it was.`,
      };
    },
    // The form shows it.
    failure: false,
    onDone,
    onError: (problem) => {
      showFieldErrors(problem, setError);
      if (problem.code === 'changed_meanwhile')
        loadStoredVersion(medicineId).then(setTheirs, (error: unknown) =>
          console.error('The other version could not be loaded', error),
        );
    },
  });

  function save(form: MedicineForm): void {
    if (change.isPending || theirs) return;
    const changes = changesIn(form, statedOf(seen.medicine));
    if (Object.keys(changes).length === 0) {
      onDone();
      return;
    }
    onBusy(true);
    change.mutate(
      { params: { id: medicineId }, body: changes, ifMatch: seen.etag },
      { onSettled: () => onBusy(false) },
    );
  }

  /** Continues from the other version; what was typed here stays, if requested, and is saved by the next press. */
  function goOn(version: StoredVersion, keepDirtyValues: boolean): void {
    setSeen(version);
    setTheirs(undefined);
    change.reset();
    reset(statedOf(version.medicine), { keepDirtyValues });
  }

  return (
    <form id={id} noValidate className="grid gap-5 text-base-content sm:grid-cols-2" onSubmit={handleSubmit(save)}>
      {theirs ? (
        <div className="sm:col-span-2">
          <TheirChanges seen={seen} theirs={theirs} onGoOn={goOn} />
        </div>
      ) : (
        change.error && (
          <div className="sm:col-span-2">
            <Alert kind="error" title={failureTitle(change.error, 'Nothing was changed')}>
              {change.error.message}
            </Alert>
          </div>
        )
      )}
      <MedicineFields register={register} errors={formState.errors} expiryDate={expiryDate} today={today} />
    </form>
  );
}

interface TheirChangesProps {
  readonly seen: StoredVersion;
  readonly theirs: StoredVersion;
  /** Continues from their version, with the edits made here or without. */
  readonly onGoOn: (version: StoredVersion, keepEdits: boolean) => void;
}

function TheirChanges({ seen, theirs, onGoOn }: TheirChangesProps) {
  return (
    <Alert kind="warning" title="Someone else has changed this medicine">
      <p>We haven’t saved your changes yet. They changed:</p>
      <ul className="my-2 list-disc ps-5">
        {describeChanges(statedOf(seen.medicine), statedOf(theirs.medicine)).map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="secondary" onClick={() => onGoOn(theirs, true)}>
          Keep my changes
        </Button>
        <Button size="sm" variant="secondary" onClick={() => onGoOn(theirs, false)}>
          Take theirs
        </Button>
      </div>
    </Alert>
  );
}
