import { api, useQuery, useQueryClient } from '@clinic/app-kit';
import { useChange, useLeaveQuestion } from '@clinic/app-kit/records';
import type { ApiProblem } from '@clinic/app-kit';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, Card, ErrorState } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { ConfirmDialog } from '@clinic/ui/tables';
import type { MessagePreferences } from '../calls.ts';
import { useState, type SyntheticEvent } from 'react';
import { changesOf } from './preferences.ts';
import { KindSwitches, LanguageField, QuietHours } from './preference-fields.tsx';

/** Preferences as they are stored. */
interface Stored {
  readonly record: MessagePreferences;
  /** Sent with the change, which is rejected if another tab or device was faster. */
  readonly etag: string | undefined;
}

/** What the signed-in person wants to be sent, when, and in which language. */
export function PreferencesSection() {
  const { data, error, refetch } = useQuery<Stored, ApiProblem>({
    queryKey: ['getMessagePreferences'],
    queryFn: ({ signal }) => api.tagged('getMessagePreferences', { signal }),
  });
  return (
    <Card as="section" aria-labelledby="preferences" className="max-w-3xl">
      <h2 id="preferences" className="mb-1 text-heading font-bold">
        What we email you
      </h2>
      {data ? (
        <PreferencesForm stored={data} />
      ) : error ? (
        <ErrorState title="Error loading your preferences" text={error.message} onRetry={() => void refetch()} />
      ) : (
        <Loading className="h-96" />
      )}
    </Card>
  );
}

interface Edits extends Stored {
  readonly draft: MessagePreferences;
}

/** Edits stay while somebody else's change arrives: saving them is rejected then, and the person decides. */
function usePreferences(stored: Stored) {
  const [edits, setEdits] = useState<Edits>();
  const [sent, setSent] = useState<Edits>();
  const client = useQueryClient();
  const { record, etag, draft } = edits ?? { ...stored, draft: stored.record };
  const changes = changesOf(record, draft);
  const changed = Object.keys(changes).length > 0;
  const save = useChange('changeMessagePreferences', {
    invalidates: ['getMessagePreferences'],
    success: 'Your preferences are saved',
    undo: (_, __, ifMatch) =>
      sent && {
        call: 'changeMessagePreferences',
        input: { body: changesOf(sent.draft, sent.record), ifMatch },
        done: 'Your preferences are as they were',
      },
    failure: false,
    // What was edited while it saved stays, as edits of what is saved now.
    onDone: (saved, _, version) =>
      setEdits((now) => (now && now !== sent ? { record: saved, etag: version, draft: now.draft } : undefined)),
  });
  return {
    draft,
    changed,
    unsent: changed && !(save.isPending && edits === sent),
    save,
    edit: (fields: Partial<MessagePreferences>): void => {
      if (!save.isPending) save.reset();
      setEdits({ record, etag, draft: { ...draft, ...fields } });
    },
    submit: (event: SyntheticEvent): void => {
      event.preventDefault();
      if (save.isPending || !edits || !changed) return;
      setSent(edits);
      save.mutate({ body: changes, ifMatch: etag });
    },
    discard: (): void => {
      save.reset();
      setEdits(undefined);
      void client.invalidateQueries({ queryKey: ['getMessagePreferences'] });
    },
  };
}

function PreferencesForm({ stored }: { readonly stored: Stored }) {
  const { draft, changed, unsent, save, edit, submit, discard } = usePreferences(stored);
  const leaving = useLeaveQuestion(unsent);
  const faults = save.error?.problem.errors ?? [];
  const stale = save.error?.code === 'changed_meanwhile';
  return (
    <form noValidate aria-labelledby="preferences" className="grid gap-6" onSubmit={submit}>
      <KindSwitches kinds={draft.kinds} onChange={(kinds) => edit({ kinds })} />
      <LanguageField draft={draft} faults={faults} onChange={edit} />
      <QuietHours draft={draft} faults={faults} onChange={edit} />
      {save.error && faults.length === 0 && (
        <Alert
          kind="error"
          title={
            stale
              ? 'You’ve changed your preferences elsewhere'
              : failureTitle(save.error, 'We couldn’t save your preferences')
          }
          actions={
            stale && (
              <Button size="sm" variant="secondary" icon="refresh" onClick={discard}>
                Show what is saved
              </Button>
            )
          }
        >
          {stale ? 'Nothing was saved here. Look at what is saved, then change it again.' : save.error.message}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={save.isPending} disabled={!changed}>
          Save my preferences
        </Button>
        {changed && !save.isPending && (
          <Button variant="ghost" onClick={discard}>
            Discard changes
          </Button>
        )}
      </div>
      <ConfirmDialog
        {...leaving}
        title="Leave without saving?"
        confirmLabel="Leave without saving"
        cancelLabel="Keep editing"
        destructive
      >
        Your changes to your preferences aren’t saved yet.
      </ConfirmDialog>
    </form>
  );
}
