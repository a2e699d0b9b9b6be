import { notify, useSession } from '@clinic/app-kit';
import { reasonFor } from '@clinic/app-kit/host';
import { Alert, Button, Dialog, TextField } from '@clinic/ui';
import { useAttempt } from './use-attempt.ts';
import { required, useFields } from './use-fields.ts';

const rules = { email: required('Email is required') };

interface ForgotPasswordProps {
  /** The address already typed into the login form. */
  readonly email: string;
  readonly onClose: () => void;
}

/** Asks for the address to which to send a link for a new password. */
export function ForgotPassword({ email, onClose }: ForgotPasswordProps) {
  const { sendPasswordReset } = useSession();
  const form = useFields({ email }, rules);
  const { busy, failure, attempt } = useAttempt('The link for a new password could not be requested', reasonFor);

  async function send(address: string): Promise<void> {
    await sendPasswordReset(address);
    notify.info(
      'Check your email',
      'If there’s an account with this address, we’ve sent a link to choose a new password.',
    );
    onClose();
  }

  return (
    <Dialog open title="Forgot your password?" onClose={onClose}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => form.submit(event, (values) => void attempt(() => send(values.email)))}
      >
        <p>We’ll email you a link to choose a new one.</p>
        {failure && <Alert kind="error">That didn’t work: {failure}</Alert>}
        <TextField label="Your email" type="email" autoComplete="email" {...form.field('email')} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            Send the link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
