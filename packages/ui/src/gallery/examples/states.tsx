import { Alert, Button, ButtonLink, CardSkeleton, EmptyState, ErrorState, Skeleton, Spinner } from '../../index.ts';
import { Loading } from '../../loading.tsx';
import type { Examples } from '../example.ts';
import { longText, longWord, nothing } from '../example.ts';

const retry = (
  <Button size="sm" variant="ghost">
    Retry
  </Button>
);
const wayOut = <ButtonLink href="#ErrorState">To the home page</ButtonLink>;

/** What a page says: loading, empty, failed, done. */
export const states = {
  Alert: {
    Success: () => (
      <Alert kind="success" title="Saved">
        Status changed to Confirmed.
      </Alert>
    ),
    'Warning that closes': () => (
      <Alert kind="warning" title="Low stock" onClose={nothing}>
        Paracetamol: 4 boxes left.
      </Alert>
    ),
    'Error with an action': () => (
      <Alert kind="error" title="Login failed" actions={retry}>
        The password is wrong.
      </Alert>
    ),
    'Long text': () => (
      <Alert kind="info" title={longText} onClose={nothing}>
        {longText}
      </Alert>
    ),
  },
  EmptyState: {
    Default: () => <EmptyState icon="pill" title="No medicine" />,
    'Long text': () => <EmptyState title={longText} text={longText} action={wayOut} />,
    'Long word': () => <EmptyState title={longWord} text={longWord} />,
  },
  ErrorState: {
    'Another way forward': () => <ErrorState title="This page isn’t available" action={wayOut} />,
    'Long text': () => <ErrorState title={longText} text={longText} onRetry={nothing} />,
    'Long word': () => <ErrorState title={longWord} text={longWord} onRetry={nothing} />,
  },
  Spinner: {
    'Beside a text': () => (
      <>
        <Spinner label="" size={16} /> Saving...
      </>
    ),
  },
  Skeleton: { Line: () => <Skeleton className="ui-skeleton-line" /> },
  Loading: { Block: () => <Loading className="h-24" /> },
  CardSkeleton: {
    'With a heading': () => (
      <CardSkeleton>
        <p>Opening hours</p>
      </CardSkeleton>
    ),
  },
} satisfies Examples;
