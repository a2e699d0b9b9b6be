import { definePage, Link, useCall, useParams } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, ButtonLink, Skeleton } from '@clinic/ui';
import { DeadLink } from './dead-link.tsx';
import { LinkCard } from './link-card.tsx';
import { useLinkWords } from './words/use-link-words.ts';
import '../setup.ts';

/** `/unsubscribe/:token`: asks before it ends messages of one kind. */
export function UnsubscribePage() {
  const { token = '' } = useParams();
  const { words } = useLinkWords();
  const own = words.unsubscribe;
  const params = { token };
  const answer = useCall('readUnsubscription', { params });
  const end = useChange('unsubscribe', { invalidates: ['readUnsubscription'], failure: false });
  if (answer.error && !answer.data)
    return (
      <DeadLink problem={answer.error} onRetry={() => void answer.refetch()}>
        <p>{own.instead}</p>
        <div>
          <ButtonLink component={Link} to="/dash/notifications" icon="mail">
            {own.notifications}
          </ButtonLink>
        </div>
      </DeadLink>
    );
  if (!answer.data)
    return (
      <LinkCard title={own.title}>
        <output className="sr-only">{words.loading}</output>
        <Skeleton className="h-24" />
      </LinkCard>
    );
  const { kind, subscribed } = answer.data;
  const name = words.kind(kind);
  const preferences = (
    <ButtonLink component={Link} to="/dash/notifications" variant={subscribed ? 'ghost' : 'primary'}>
      {own.preferences}
    </ButtonLink>
  );
  if (!subscribed)
    return (
      <LinkCard title={own.done}>
        <output>
          {own.stopped} <strong className="font-semibold">{name}</strong>
          {words.stop} {own.again}
        </output>
        <div>{preferences}</div>
      </LinkCard>
    );
  return (
    <LinkCard title={own.question}>
      <p>
        {own.willStop} <strong className="font-semibold">{name}</strong>
        {words.stop}
      </p>
      {end.error && (
        <Alert kind="error" title={words.unchanged(end.error)}>
          {words.error(end.error)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button busy={end.isPending} onClick={() => end.mutate({ params })}>
          {own.stop}
        </Button>
        {preferences}
      </div>
    </LinkCard>
  );
}

export default definePage({ Component: UnsubscribePage });
