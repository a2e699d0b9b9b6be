import { notify, useSession } from '@clinic/app-kit';
import { reasonFor } from '@clinic/app-kit/host';
import { Alert, Button, Dialog, TextField } from '@clinic/ui';
import { useState } from 'react';
import { useForm } from 'react-hook-form';

interface ForgotPasswordProps {
  /** What stands in the login form already. */
  readonly email: string;
  readonly onClose: () => void;
}

/** Asks for the address to send a link for a new password to. */
export function ForgotPassword({ email, onClose }: ForgotPasswordProps) {
  const { sendPasswordReset } = useSession();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email } });
  const [failure, setFailure] = useState<string>();

  const send = handleSubmit(async (form) => {
    setFailure(undefined);
    try {
      await sendPasswordReset(form.email.trim());
      notify.info('Check your mail', 'If this address has an account with us, a link for a new password is on its way.');
      onClose();
    } catch (error) {
      console.error('Could not ask for a new password', error);
      setFailure(reasonFor(error));
    }
  });

  return (
    <Dialog open title="Forgot your password?" onClose={onClose}>
      <form noValidate className="grid gap-5" onSubmit={send}>
        <p>We send you a link with which you can choose a new one.</p>
        {failure && <Alert kind="error">That did not work: {failure}</Alert>}
        <TextField label="Your e-mail" type="email" autoComplete="email" error={formState.errors.email?.message} {...register('email', { required: 'Email is required' })} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>Cancel</Button>
          <Button type="submit" busy={formState.isSubmitting}>Send the link</Button>
        </div>
      </form>
    </Dialog>
  );
}
