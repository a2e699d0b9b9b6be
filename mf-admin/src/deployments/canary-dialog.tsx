import { Button, Dialog, NumberField } from '@clinic/ui';
import { useForm, type RegisterOptions } from 'react-hook-form';
import type { CanaryChange, ChangeDialogProps } from './calls.ts';

interface CanaryForm {
  /** Percent. */
  readonly share: number;
  readonly errors: number;
  readonly visits: number;
  /** Minutes. */
  readonly quiet: number;
}

/** Its fields, with the subject of their errors and what they accept. */
const fields = [
  { name: 'share', label: 'Share of visitors, %', subject: 'Share', min: 1, max: 50 },
  {
    name: 'errors',
    label: 'Roll back at, % with errors',
    subject: 'Share with errors',
    min: 0.1,
    max: 100,
    step: 'any',
  },
  { name: 'visits', label: 'Visits before a decision', subject: 'Visits', min: 1, max: 999_999 },
  { name: 'quiet', label: 'Minutes without an error', subject: 'Minutes', min: 1, max: 9999 },
] as const;

const within = (name: string, min: number, max: number, whole: boolean): RegisterOptions<CanaryForm> => {
  const message = `${name} must be from ${min} to ${max}`;
  return {
    valueAsNumber: true,
    required: `${name} is required`,
    min: { value: min, message },
    max: { value: max, message },
    validate: (value) =>
      Number.isNaN(value) ? message : !whole || Number.isInteger(value) || `${name} must be a whole number`,
  };
};

/** Asks which share of visitors gets a release, and by which rules it is promoted or rolled back. */
export function CanaryDialog({ deployment, change, busy, onConfirm, onCancel }: ChangeDialogProps<CanaryChange>) {
  const { register, handleSubmit, formState } = useForm<CanaryForm>({
    defaultValues: {
      share: change.share * 100,
      errors: change.errorRate * 100,
      visits: change.minVisits,
      quiet: change.quietMinutes,
    },
  });
  const { errors } = formState;
  const send = handleSubmit(({ share, errors: errorShare, visits, quiet }) =>
    onConfirm({
      ...change,
      share: share / 100,
      errorRate: errorShare / 100,
      minVisits: visits,
      quietMinutes: quiet,
    }),
  );
  return (
    <Dialog
      open
      title={`Start ${change.version} of ${deployment.name} as a canary`}
      onClose={onCancel}
      actions={
        <>
          <Button variant="ghost" onClick={onCancel}>
            Go back
          </Button>
          <Button type="submit" form="canary" busy={busy}>
            Start it
          </Button>
        </>
      }
    >
      <form id="canary" noValidate onSubmit={(event) => void send(event)} className="grid gap-4 sm:grid-cols-2">
        <p className="text-sm text-muted sm:col-span-2">
          Part of the visitors gets it. If too many of their pages have errors, it’s rolled back; after enough minutes
          without one, it goes to everybody.
        </p>
        {fields.map(({ name, label, subject, min, max, ...more }) => (
          <NumberField
            key={name}
            label={label}
            required
            error={errors[name]?.message}
            {...more}
            {...register(name, within(subject, min, max, name === 'visits'))}
          />
        ))}
      </form>
    </Dialog>
  );
}
