import { draftOf, formatShortDate, useCall, useDraft } from '@clinic/app-kit';
import { useChange, useLeaveQuestion } from '@clinic/app-kit/records';
import { phoneMessage, phonePattern, type User } from '@clinic/contracts';
import { Button, DateField, ErrorState, TextField } from '@clinic/ui';
import { ConfirmDialog, Details } from '@clinic/ui/tables';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { changedFields, eachFieldError, formerValues } from '../profiles/profile-form.ts';
import { FormButtons } from './form-buttons.tsx';
import { Section } from './section.tsx';

/** The person's details, to read and edit. */
export function DetailsSection({ email }: { readonly email: string }) {
  const { data, error, refetch } = useCall('getUser', { params: { email } });
  const [editing, setEditing] = useState(false);
  return (
    <Section id="details" title="Your details">
      {error && !data && (
        <ErrorState title="Error loading your details" text={error.message} onRetry={() => void refetch()} />
      )}
      {!data && !error && <p className="text-muted">Loading...</p>}
      {data && !editing && (
        <>
          <Details items={itemsOf(data)} />
          <div>
            <Button variant="soft" icon="edit" onClick={() => setEditing(true)}>
              Change my details
            </Button>
          </div>
        </>
      )}
      {data && editing && <DetailsForm user={data} onDone={() => setEditing(false)} />}
    </Section>
  );
}

const itemsOf = ({ firstName, lastName, phone, dateOfBirth, address }: User): [string, string][] => [
  ['Name', `${firstName} ${lastName}`.trim() || '–'],
  ['Phone', phone || '–'],
  ['Date of birth', dateOfBirth ? formatShortDate(dateOfBirth) : '–'],
  ['Address', address || '–'],
];

type Fields = Required<Pick<User, 'firstName' | 'lastName' | 'phone' | 'dateOfBirth' | 'address'>>;

function DetailsForm({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const { firstName, lastName, phone, dateOfBirth, address = '' } = user;
  const values: Fields = { firstName, lastName, phone, dateOfBirth, address };
  const {
    register,
    handleSubmit,
    getValues,
    setValue,
    setError,
    formState: { errors, dirtyFields, isDirty, isSubmitting },
  } = useForm<Fields>({ values, resetOptions: { keepDirtyValues: true } });
  const [key] = useState(() => `details ${user.email}`);
  const [typed] = useState(() => draftOf<Fields>(key));
  useDraft(key, getValues, 'drop');
  useEffect(() => {
    for (const field of Object.keys(typed ?? {}) as (keyof Fields)[])
      setValue(field, typed?.[field] ?? '', { shouldDirty: true });
  }, [typed, setValue]);
  const save = useSave(values, onDone);

  const submit = handleSubmit(async (form) => {
    if (!isDirty) return onDone();
    try {
      await save.mutateAsync({ params: { email: user.email }, body: changedFields(form, dirtyFields) });
    } catch (error) {
      eachFieldError(error, values, (field, message) => setError(field, { message }, { shouldFocus: true }));
    }
  });

  return (
    <form
      noValidate
      aria-label="Your details"
      className="grid gap-5 sm:grid-cols-2"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label="First name"
        autoComplete="given-name"
        required
        error={errors.firstName?.message}
        {...register('firstName', { required: 'First name is required' })}
      />
      <TextField
        label="Last name"
        autoComplete="family-name"
        required
        error={errors.lastName?.message}
        {...register('lastName', { required: 'Last name is required' })}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        required
        error={errors.phone?.message}
        {...register('phone', {
          required: 'Phone number is required',
          pattern: { value: phonePattern, message: phoneMessage },
        })}
      />
      <DateField
        label="Date of birth"
        autoComplete="bday"
        min="1900-01-01"
        required
        error={errors.dateOfBirth?.message}
        {...register('dateOfBirth', { required: 'Date of birth is required' })}
      />
      <TextField
        label="Address"
        autoComplete="street-address"
        className="sm:col-span-2"
        hint="Street, number and town. Leave this empty if you don’t want us to keep it."
        error={errors.address?.message}
        {...register('address')}
      />
      <FormButtons label="Save my details" busy={isSubmitting} onBack={onDone} className="sm:col-span-2" />
      <AskBeforeLeaving unsaved={isDirty} />
    </form>
  );
}

/** Saves the details; what was filled in before can be put back. */
function useSave(before: Fields, onDone: () => void) {
  return useChange('changeOwnProfile', {
    invalidates: ['getUser'],
    success: 'Your details are saved',
    undo(_, { params, body = {} }) {
      const { address, ...former } = formerValues(before, body);
      // Missing details can be filled in, but only the address can be removed again.
      if (Object.values(former).includes('')) return undefined;
      return {
        call: 'changeOwnProfile',
        input: { params, body: { ...former, ...(address !== undefined && { address }) } },
        done: 'Your details are as they were',
      };
    },
    onDone,
  });
}

function AskBeforeLeaving({ unsaved }: { readonly unsaved: boolean }) {
  return (
    <ConfirmDialog
      {...useLeaveQuestion(unsaved)}
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      cancelLabel="Keep editing"
      destructive
    >
      Your changes to your details aren’t saved yet.
    </ConfirmDialog>
  );
}
