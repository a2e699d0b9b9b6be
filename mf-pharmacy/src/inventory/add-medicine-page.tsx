import { definePage, draftOf, type ApiProblem, Link, notify, useDraft, useSession } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { maxQuantity } from '@clinic/svc-pharmacy/contract/limits';
import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import { failureTitle, isUnknown } from '@clinic/contracts/outcome';
import { Alert, Button, ButtonLink, Card, NumberField, PageHeader, TextField } from '@clinic/ui';
import { useState } from 'react';
import { useForm, useWatch, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { ImportCard } from '../import/import-card.tsx';
import { MedicineFields } from './medicine-fields.tsx';
import { showFieldErrors, type MedicineForm } from './medicine-form.ts';
import '../setup.ts';
import '../staff-calls.ts';

const blank = {
  medicineId: '',
  name: '',
  manufacturer: '',
  unit: 'box',
  expiryDate: '',
  maxPerCustomer: null,
  category: null,
  prescriptionOnly: false,
} as const;

/** Add New Medicine (`/dash/addmedicine`). */
export function AddMedicinePage() {
  const { user } = useSession();
  const today = useClinicToday();
  // Fixed at the start: if the session ends in between, the draft still belongs to the same user.
  const [key] = useState(() => `addMedicine ${user?.email ?? ''}`);
  const { register, handleSubmit, formState, control, reset, setError, setFocus, getValues } = useForm<MedicineForm>({
    defaultValues: draftOf<MedicineForm>(key) ?? blank,
  });
  useDraft(key, getValues);
  const { errors } = formState;
  const [emptyAnswer, setEmptyAnswer] = useState(false);
  const expiryDate = useWatch({ control, name: 'expiryDate' });
  const change = useChange('addMedicine', {
    invalidates: ['listMedicines'],
    // The form shows it, beside its button.
    failure: false,
    draft: key,
    onDone: (record: WireMedicine | undefined) => {
      // Whatever is no medicine is no success: an empty object, for example.
      setEmptyAnswer(!record?._id);
      if (!record?._id) return;
      notify.success('Medicine added successfully!');
      reset(blank);
      setFocus('name');
    },
    onError: (problem) => showFieldErrors(problem, setError, 'medicine.'),
  });

  function add(medicine: MedicineForm): void {
    if (change.isPending) return;
    setEmptyAnswer(false);
    change.mutate({ body: { pharmacistEmail: user?.email, medicine, addedDate: today, status: 'in stock' } });
  }

  return (
    <>
      <PageHeader
        title="Add New Medicine"
        description="It appears in the store straight away."
        actions={
          <ButtonLink component={Link} to="/dash/medicine" variant="secondary" icon="pill">
            All medicine
          </ButtonLink>
        }
      />
      <Card className="max-w-3xl">
        <form
          noValidate
          aria-label="Add New Medicine"
          className="grid gap-5 sm:grid-cols-2"
          onSubmit={handleSubmit(add)}
        >
          <MedicineFields register={register} errors={errors} expiryDate={expiryDate} today={today}>
            {() => newFields(register, errors)}
          </MedicineFields>
          <div className="grid gap-5 sm:col-span-2">
            <AddFailure emptyAnswer={emptyAnswer} error={change.error} />
            <Button type="submit" icon="plus" busy={change.isPending} className="justify-self-start max-sm:w-full">
              Add Medicine
            </Button>
          </div>
        </form>
      </Card>
      <ImportCard />
    </>
  );
}

/** The fields that only a new medicine has. */
const newFields = (register: UseFormRegister<MedicineForm>, errors: FieldErrors<MedicineForm>) => (
  <>
    <TextField
      label="Medicine ID"
      hint="Leave this empty to use the next free number."
      autoComplete="off"
      error={errors.medicineId?.message}
      {...register('medicineId')}
    />
    <NumberField
      label="Quantity"
      required
      min={0}
      max={maxQuantity}
      error={errors.quantity?.message}
      {...register('quantity', {
        valueAsNumber: true,
        validate: wholeQuantity,
      })}
    />
  </>
);

function wholeQuantity(quantity: number): string | true {
  if (Number.isNaN(quantity)) return 'Quantity is required';
  if (!Number.isInteger(quantity)) return 'Quantity must be a whole number';
  return quantity >= 0 || 'Quantity must be 0 or more';
}

interface AddFailureProps {
  /** The response named no medicine. */
  readonly emptyAnswer: boolean;
  readonly error: ApiProblem | null;
}

function AddFailure({ emptyAnswer, error }: AddFailureProps) {
  if (emptyAnswer || error?.emptyAnswer)
    return (
      <Alert kind="error" title="Failed to create profile">
        We couldn’t confirm that the medicine was added. Check the inventory before you add it again.
      </Alert>
    );
  return (
    error && (
      <Alert kind="error" title={failureTitle(error, 'Error creating profile')}>
        {error.message}
        {isUnknown(error) && ' We won’t add it twice.'}
      </Alert>
    )
  );
}

export default definePage({ Component: AddMedicinePage });
