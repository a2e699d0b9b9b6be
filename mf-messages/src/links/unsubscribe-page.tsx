import { definePage, Link, useCall, useParams } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, ButtonLink, Skeleton } from '@clinic/ui';
import { labelOf } from '../words.ts';
import { DeadLink } from './dead-link.tsx';
import { LinkCard } from './link-card.tsx';
import '../setup.ts';

/** `/unsubscribe/:token`: asks before it ends messages of one kind. */
export function UnsubscribePage() {
  const { token = '' } = useParams();
  const params = { token };
  const answer = useCall('readUnsubscription', { params });
  const end = useChange('unsubscribe', { invalidates: ['readUnsubscription'], failure: false });
  if (answer.error && !answer.data)
    return (
      <DeadLink problem={answer.error} onRetry={() => void answer.refetch()}>
        <p>Log in to choose what we email you.</p>
        <div>
          <ButtonLink component={Link} to="/dash/notifications" icon="mail">
            My notifications
          </ButtonLink>
        </div>
      </DeadLink>
    );
  if (!answer.data)
    return (
      <LinkCard title="Your messages">
        <output className="sr-only">Loading...</output>
        <Skeleton className="h-24" />
      </LinkCard>
    );
  const { kind, subscribed } = answer.data;
  const name = labelOf(kind);
  const preferences = (
    <ButtonLink component={Link} to="/dash/notifications" variant={subscribed ? 'ghost' : 'primary'}>
      All my preferences
    </ButtonLink>
  );
  if (!subscribed)
    return (
      <LinkCard title="You won’t get these messages any more">
        <output>
          We’ve stopped: <strong className="font-semibold">{name}</strong>. You can switch it on again in your
          preferences.
        </output>
        <div>{preferences}</div>
      </LinkCard>
    );
  return (
    <LinkCard title="Stop these messages?">
      <p>
        We’ll stop emailing you: <strong className="font-semibold">{name}</strong>.
      </p>
      {end.error && (
        <Alert kind="error" title="Nothing has changed">
          {end.error.message}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button busy={end.isPending} onClick={() => end.mutate({ params })}>
          Stop these messages
        </Button>
        {preferences}
      </div>
    </LinkCard>
  );
}

export default definePage({ Component: UnsubscribePage });
