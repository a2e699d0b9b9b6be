import { Link } from '@clinic/app-kit';
import { authCode } from '@clinic/app-kit/host';
import { Button, ButtonLink } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { ForgotPassword } from '../forgot-password.tsx';

interface DeadLinkProps {
  /** The link's purpose, from its address. */
  readonly mode: string | null;
  /** Why it can't be used; `undefined`: it has no code. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

const titles: Readonly<Record<string, string>> = {
  'expired-action-code': 'This link has expired',
  'invalid-action-code': 'This link doesn’t work any more',
};

/** A mail link that can't be used, and what to do next. */
export function DeadLink({ mode, error, onRetry }: DeadLinkProps) {
  const [asksForReset, setAsksForReset] = useState(false);
  const code = authCode(error);
  // The check failed, so the link may still be valid.
  const passing =
    error !== null && code !== 'user-not-found' && code !== 'user-disabled' && titles[code ?? ''] === undefined;
  if (passing) {
    return (
      <AuthCard
        title="We couldn’t check your link"
        text="The login service isn’t responding. Your link may still work."
      >
        <Button block icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      </AuthCard>
    );
  }
  const forPassword = mode === 'resetPassword';
  return (
    <AuthCard title={titles[code ?? ''] ?? 'This link doesn’t work'} text={textOf(mode)}>
      <div className="grid gap-3">
        {forPassword && (
          <Button block icon="mail" onClick={() => setAsksForReset(true)}>
            Send me a new link
          </Button>
        )}
        <ButtonLink
          component={Link}
          block
          variant={forPassword ? 'secondary' : 'primary'}
          to={mode === 'verifyAndChangeEmail' ? '/dash/account' : '/login'}
        >
          {mode === 'verifyAndChangeEmail' ? 'Go to My Account' : 'Log in'}
        </ButtonLink>
      </div>
      {asksForReset && <ForgotPassword email="" onClose={() => setAsksForReset(false)} />}
    </AuthCard>
  );
}

const rule = 'Each link works once and for a limited time.';
const texts: Readonly<Record<string, string>> = {
  verifyEmail: `${rule} Log in to check. If your address isn’t confirmed, you can send a new link from your dashboard.`,
  resetPassword: `${rule} We can send you a new one.`,
  verifyAndChangeEmail: `${rule} You can change your address again in My Account.`,
  recoverEmail: `${rule} If you can’t log in, call the clinic.`,
};

function textOf(mode: string | null): string {
  return texts[mode ?? ''] ?? `${rule} Check that you opened the whole link from the email.`;
}
