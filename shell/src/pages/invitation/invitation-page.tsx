import { addCalls, api, ApiProblem, Link, useQuery, useSession } from '@clinic/app-kit';
import type {} from '@clinic/svc-identity/contract';
import { invitationCalls } from '@clinic/svc-identity/contract/invitation-calls';
import { Button, ButtonLink } from '@clinic/ui';
import { AuthCard, WaitingCard } from '../auth-card.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import { ConfirmFirst } from './confirm-first.tsx';
import { RegisterInvited } from './register-invited.tsx';
import { WrongAccount } from './wrong-account.tsx';

addCalls(invitationCalls);

/** /register?invitation=…: an invited member of staff registers or logs in, confirms the address, and accepts the role. */
export function InvitationPage({ token }: { readonly token: string }) {
  const { user, loading } = useSession();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: ({ signal }) => api.call('readInvitation', { body: { token }, signal }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (error && !data) return <NoInvitation error={error} onRetry={() => void refetch()} />;
  if (isPending || loading) return <WaitingCard text="We’re opening your invitation." />;
  if (!user) return <RegisterInvited invitation={data} token={token} />;
  if (user.email !== data.email) return <WrongAccount own={user.email} invited={data.email} />;
  return user.emailVerified ? (
    <AcceptInvitation invitation={data} token={token} needsPassword={user.passwordUnproven === true} />
  ) : (
    <ConfirmFirst invitation={data} />
  );
}

function NoInvitation({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (code === 'invitation_over' || code === 'not_found' || code === 'validation_failed') {
    return (
      <AuthCard
        title="This invitation is no longer valid"
        text={code === 'invitation_over' ? error.message : 'The link is incomplete, or a newer one has replaced it.'}
      >
        <p>Ask the admin who invited you for a new link. If you’ve already accepted it, log in.</p>
        <ButtonLink component={Link} block to="/login">
          Log in
        </ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="We couldn’t open your invitation" text={error.message}>
      <Button block icon="refresh" onClick={onRetry}>
        Try again
      </Button>
    </AuthCard>
  );
}
