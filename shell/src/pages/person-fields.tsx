import { ApiProblem } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { maxText } from '@clinic/contracts/limits';
import { Alert, DateField, PasswordField, TextField } from '@clinic/ui';
import type { ReactNode } from 'react';
import type { Fields } from './use-fields.ts';

/** A form that has these fields, among others. */
interface FormWith<Name extends string> {
  readonly field: (name: Name) => ReturnType<Fields<string>['field']>;
}

interface PersonFormProps<Name extends string> {
  readonly form: Fields<Name>;
  /** Why the last attempt failed, as a sentence. */
  readonly failure?: string | undefined;
  readonly onSave: (values: Fields<Name>['values']) => Promise<void>;
  readonly children: ReactNode;
}

/** A form with personal details, in two columns where there is room. */
export function PersonForm<Name extends string>({ form, failure, onSave, children }: PersonFormProps<Name>) {
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5 sm:grid-cols-2"
      onSubmit={(event) => form.submit(event, (values) => void onSave(values))}
    >
      {failure && (
        <div className="sm:col-span-2">
          <Alert kind="error">{failure}</Alert>
        </div>
      )}
      {children}
    </form>
  );
}

export function NameFields({ form }: { readonly form: FormWith<'firstName' | 'lastName'> }) {
  return (
    <>
      <TextField
        label="First Name"
        autoComplete="given-name"
        maxLength={maxText}
        required
        {...form.field('firstName')}
      />
      <TextField
        label="Last Name"
        autoComplete="family-name"
        maxLength={maxText}
        required
        {...form.field('lastName')}
      />
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

/** @param rule - the password rule as a sentence */
export function NewPasswordField({ form, rule }: { readonly form: FormWith<'password'>; readonly rule: string }) {
  return (
    <PasswordField
      label="Password"
      autoComplete="new-password"
      required
      className="sm:col-span-2"
      hint={rule}
      {...form.field('password')}
    />
  );
}

/** Shows what the server rejected beside the fields. */
export function showRejected(form: Pick<Fields<string>, 'showErrors'>, error: unknown): void {
  if (error instanceof ApiProblem)
    form.showErrors(Object.fromEntries((error.problem.errors ?? []).map(({ field, message }) => [field, message])));
}
