import { notify, openAccount } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import { useEffect, useState } from 'react';

/** Seconds until another mail can be requested: the first may still be on its way. */
const pause = 60;

interface SendConfirmationProps {
  /** Our address to which the confirmation page links. */
  readonly continueTo?: string;
}

/** Resends the mail that confirms the email address, and says when the next can be sent. */
export function SendConfirmation({ continueTo }: SendConfirmationProps) {
  const [busy, setBusy] = useState(false);
  const [left, setLeft] = useState(0);

  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);

  async function send(): Promise<void> {
    if (left > 0) return;
    setBusy(true);
    try {
      const account = await openAccount();
      try {
        if (await account.sendConfirmation(continueTo)) {
          notify.success('We’ve sent the email', 'It can take a few minutes. Check your spam folder too.');
          setLeft(pause);
        }
      } catch (error) {
        console.error('The confirmation could not be sent', error);
        notify.error('We couldn’t send the email', account.reasonFor(error));
      }
    } catch (error) {
      console.error('The sign-in code could not be loaded', error);
      notify.error('We couldn’t send the email', 'Check your connection and try again.');
    }
    setBusy(false);
  }

  return (
    <Button
      size="sm"
      variant="secondary"
      icon="refresh"
      busy={busy}
      aria-disabled={left > 0}
      onClick={() => void send()}
    >
      {left > 0 ? `Send it again in ${left} s` : 'Send it again'}
    </Button>
  );
}
