import { Button } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import type { ReactNode } from 'react';
import type { Path, UseFormReturn } from 'react-hook-form';
import { changedFields, eachFieldError, type ProfileFields } from './profile-form.ts';

interface ProfileEditorProps<Form extends ProfileFields> {
  readonly form: UseFormReturn<Form>;
  /** The profile as it is stored. */
  readonly values: Form;
  readonly email: string;
  /** Why the email address can't be changed: 'because the account depends on it'. */
  readonly because: string;
  /** Gets only the fields that were changed. */
  readonly save: (changed: Partial<Form>) => Promise<unknown>;
  /** The fields. */
  readonly children: ReactNode;
}

/** The form of a profile that exists. */
export function ProfileEditor<Form extends ProfileFields>({
  form: { handleSubmit, setError, formState },
  values,
  email,
  because,
  save,
  children,
}: ProfileEditorProps<Form>) {
  const { dirtyFields, isDirty, isSubmitting } = formState;
  const submit = handleSubmit(async (typed) => {
    if (!isDirty) return;
    try {
      await save(changedFields(typed, dirtyFields));
    } catch (error) {
      eachFieldError(error, values, (field, message) => setError(field as Path<Form>, { message }));
    }
  });
  return (
    <form
      className="grid gap-5 sm:grid-cols-2"
      noValidate
      aria-label="Profile"
      onSubmit={(event) => void submit(event)}
    >
      <p className="text-sm text-muted wrap-anywhere sm:col-span-2">
        You can’t change <EmailText email={email} />, {because}.
      </p>
      {children}
      <div className="sm:col-span-2">
        <Button type="submit" busy={isSubmitting} aria-disabled={!isDirty}>
          Save profile
        </Button>
      </div>
    </form>
  );
}
