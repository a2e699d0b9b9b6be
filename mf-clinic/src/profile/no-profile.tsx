import type { useCall } from '@clinic/app-kit';
import { Card, EmptyState } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { LoadError } from '../load-error.tsx';

interface NoProfileProps {
  /** The doctor's profiles: they couldn't be loaded, or there are none. */
  readonly profiles: ReturnType<typeof useCall<'getProfiles'>>;
  readonly email: string;
}

/** Takes the place of what a doctor's page shows of their profile. */
export function NoProfile({ profiles, email }: NoProfileProps) {
  return (
    <Card>
      {profiles.isError && !profiles.data ? (
        <LoadError title="Error loading profile" answer={profiles} />
      ) : (
        <EmptyState
          icon="user"
          title="No profile yet"
          text={
            <>
              An admin creates doctors’ profiles. Yours will use the address <EmailText email={email} />.
            </>
          }
        />
      )}
    </Card>
  );
}
