import { ApiProblem } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { DateField, TextField } from '@clinic/ui';
import type { Fields } from './use-fields.ts';

/** A form that has these fields, among others. */
interface FormWith<Name extends string> {
  readonly field: (name: Name) => ReturnType<Fields<string>['field']>;
}

export function NameFields({ form }: { readonly form: FormWith<'firstName' | 'lastName'> }) {
  return (
    <>
      <TextField label="First Name" autoComplete="given-name" maxLength={200} required {...form.field('firstName')} />
      <TextField label="Last Name" autoComplete="family-name" maxLength={200} required {...form.field('lastName')} />
    </>
  );
}

export function ContactFields({ form }: { readonly form: FormWith<'phone' | 'dateOfBirth'> }) {
  const latestBirth = useClinicToday();
  return (
    <>
      <TextField label="Phone" type="tel" autoComplete="tel" required {...form.field('phone')} />
      <DateField
        label="Date of Birth"
        autoComplete="bday"
        min="1900-01-01"
        max={latestBirth}
        required
        {...form.field('dateOfBirth')}
      />
    </>
  );
}

/** Shows what the server rejected beside the fields. */
export function showRejected(form: Pick<Fields<string>, 'refuse'>, error: unknown): void {
  if (error instanceof ApiProblem)
    form.refuse(Object.fromEntries((error.problem.errors ?? []).map(({ field, message }) => [field, message])));
}
