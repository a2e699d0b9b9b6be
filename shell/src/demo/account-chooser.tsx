import type { GoogleAccount } from '@clinic/app-kit/host';
import { demoPatients } from '@clinic/demo-data/people';
import { Avatar, Button, Dialog, TextField } from '@clinic/ui';
import { all, isEmail, required, useFields } from '../pages/use-fields.ts';

const rules = { name: required('Name is required'), email: all(required('Email is required'), isEmail) };

interface AccountChooserProps {
  /** Called once; with `undefined` if the visitor cancelled. */
  readonly onChoose: (account: GoogleAccount | undefined) => void;
}

// An existing patient, and somebody the clinic doesn't know yet.
const suggested: readonly GoogleAccount[] = [
  ...demoPatients.slice(0, 1).map(({ firstName, lastName, email }) => ({ name: `${firstName} ${lastName}`, email })),
  { name: 'Rina Das', email: 'rina.das@mail.example' },
];

/** Replaces Google's window with the emulator, which has none. */
export function AccountChooser({ onChoose }: AccountChooserProps) {
  const form = useFields({ name: '', email: '' }, rules);
  return (
    <Dialog open title="Choose a Google account" onClose={() => onChoose(undefined)}>
      <div className="grid gap-5">
        <p>This is a demo. These accounts are made up, and Google isn’t involved.</p>
        <ul className="grid gap-2">
          {suggested.map((account) => (
            <li key={account.email}>
              <button
                type="button"
                onClick={() => onChoose(account)}
                className="flex w-full cursor-pointer items-center gap-3 rounded-field border border-line p-3 text-start hover:bg-base-200"
              >
                <Avatar name={account.name} />
                <span className="min-w-0 leading-snug">
                  <span className="block font-semibold text-base-content">{account.name}</span>
                  <span className="block truncate text-sm">{account.email}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <form
          noValidate
          className="grid gap-4 border-t border-line pt-5"
          onSubmit={(event) =>
            form.submit(event, ({ name, email }) => onChoose({ name: name.trim(), email: email.trim() }))
          }
        >
          <h3 className="font-semibold text-base-content">Use another account</h3>
          <TextField label="Name" autoComplete="off" {...form.field('name')} />
          <TextField label="Google email" type="email" autoComplete="off" {...form.field('email')} />
          <Button type="submit" variant="secondary">
            Continue
          </Button>
        </form>
      </div>
    </Dialog>
  );
}
