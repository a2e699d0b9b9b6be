import { Link, useCall, useConfig } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, ButtonLink } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import type { OwnAddress } from '../calls.ts';
import { instantInWords } from '../words.ts';

/** Says that nothing is sent to the person's address any more, and why, and lets them ask for another attempt. */
export function AddressNotice() {
  const { data, error, refetch } = useCall('getOwnMessageAddress', {});
  if (data?.stopped) return <StoppedNotice email={data.email} stopped={data.stopped} />;
  if (data || !error) return null;
  return (
    <Alert
      kind="warning"
      title="We couldn’t check your email address"
      actions={
        <Button size="sm" variant="secondary" icon="refresh" onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      {error.message}
    </Alert>
  );
}

interface StoppedNoticeProps {
  readonly email: string;
  readonly stopped: NonNullable<OwnAddress['stopped']>;
}

function StoppedNotice({ email, stopped: { why, at, canAccept } }: StoppedNoticeProps) {
  const { clinicTimeZone } = useConfig();
  const accept = useChange('acceptOwnMessageAddress', {
    invalidates: ['getOwnMessageAddress'],
    success: 'We’ll send your next messages to this address again',
    failure: false,
  });
  const complained = why === 'complained';
  return (
    <div className="grid gap-3">
      <Alert
        kind="warning"
        title={complained ? 'Our emails were reported as spam' : 'Our emails to you came back'}
        actions={
          <div className="flex flex-wrap gap-3">
            {canAccept && (
              <Button size="sm" icon="mail" busy={accept.isPending} onClick={() => accept.mutate({})}>
                {complained ? 'Send me emails again' : 'Try this address again'}
              </Button>
            )}
            <ButtonLink component={Link} to="/dash/account" size="sm" variant="secondary">
              My Account
            </ButtonLink>
          </div>
        }
      >
        On {instantInWords(at, clinicTimeZone)}, <EmailText email={email} />{' '}
        {complained
          ? 'reported our email as spam. We’ve sent nothing since.'
          : 'rejected our email. We’ve sent nothing since.'}{' '}
        {adviceOf(complained, canAccept)}
      </Alert>
      {accept.error && (
        <Alert kind="error" title={failureTitle(accept.error, 'We couldn’t do that')}>
          {accept.error.message}
        </Alert>
      )}
    </div>
  );
}

function adviceOf(complained: boolean, canAccept: boolean): string {
  if (!canAccept) return 'If this is your address, call the clinic. Otherwise, change it in My Account.';
  return complained
    ? 'If you want our emails, we’ll send them again.'
    : 'Check the address for mistakes. If it’s right, try it again; otherwise, change it in My Account.';
}
