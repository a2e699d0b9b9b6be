import { openAccount, usePageTitle, useQuery, useSearchParams } from '@clinic/app-kit';
import type { MailedCode } from '@clinic/app-kit/host';
import type { ComponentType } from 'react';
import { WaitingCard } from '../auth-card.tsx';
import type { ActionProps } from './action-props.ts';
import { ConfirmEmail } from './confirm-email.tsx';
import { ConfirmNewEmail } from './confirm-new-email.tsx';
import { DeadLink } from './dead-link.tsx';
import { RecoverEmail } from './recover-email.tsx';
import { ResetPassword } from './reset-password.tsx';

const pages: Readonly<Record<MailedCode['mode'], ComponentType<ActionProps>>> = {
  verifyEmail: ConfirmEmail,
  resetPassword: ResetPassword,
  verifyAndChangeEmail: ConfirmNewEmail,
  recoverEmail: RecoverEmail,
};

/** /auth/action: target of the links in the identity provider's mails (docs/identity.md). */
export function AuthActionPage() {
  usePageTitle('Your account');
  const [search] = useSearchParams();
  const code = search.get('oobCode') ?? '';
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mailedCode', code],
    queryFn: async () => {
      const account = await openAccount();
      return { account, mailed: await account.readCode(code) };
    },
    enabled: code !== '',
    retry: false,
    // A used code can't be read again, but the page still needs it.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (code === '' || error) return <DeadLink mode={search.get('mode')} error={error} onRetry={() => void refetch()} />;
  if (isPending) return <WaitingCard text="We’re checking your link." />;
  const Page = pages[data.mailed.mode];
  return <Page code={code} mailed={data.mailed} account={data.account} />;
}
