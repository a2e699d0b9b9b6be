import { draftOf, useDraft, useSession } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, Card, TextAreaField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { useForm } from 'react-hook-form';

interface Fields {
  readonly title: string;
  readonly note: string;
}

const blank: Fields = { title: '', note: '' };

/** Form for a new entry. */
export function EntryForm() {
  const { user } = useSession();
  // If the session changes in between, the entry must not be saved for another user.
  const [key] = useState(() => `{{name}} entry ${user?.email ?? ''}`);
  const { register, handleSubmit, formState, reset, setError, getValues } = useForm<Fields>({ defaultValues: draftOf<Fields>(key) ?? blank });
  useDraft(key, getValues);
  const change = useChange('add{{Name}}Entry', {
    invalidates: ['list{{Name}}Entries'],
    success: 'Entry written',
    // The form shows the error, next to its button.
    failure: false,
    draft: key,
    onDone: () => reset(blank),
    onError: (problem) => {
      for (const field of ['title', 'note'] as const) {
        const message = problem.fieldError(field);
        if (message !== undefined) setError(field, { message }, { shouldFocus: true });
      }
    },
  });

  function write(fields: Fields): void {
    if (!change.isPending) change.mutate({ body: fields });
  }

  const { errors } = formState;
  return (
    <Card className="mb-8 max-w-3xl">
      <form noValidate aria-label="New entry" className="grid gap-5" onSubmit={handleSubmit(write)}>
        <TextField label="Title" required error={errors.title?.message} {...register('title', { validate: (title) => title.trim() !== '' || 'Title is required' })} />
        <TextAreaField label="Note" error={errors.note?.message} {...register('note')} />
        {change.error && <Alert kind="error" title="We couldn’t save the entry">{change.error.message}</Alert>}
        <Button type="submit" icon="plus" busy={change.isPending} className="justify-self-start max-sm:w-full">Write entry</Button>
      </form>
    </Card>
  );
}
