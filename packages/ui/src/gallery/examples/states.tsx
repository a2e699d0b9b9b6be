import { Alert, Button, ButtonLink, CardSkeleton, EmptyState, ErrorState, Skeleton, Spinner } from '../../index.ts';
import { Loading } from '../../loading.tsx';
import type { Examples } from '../example.ts';
import { longText, longWord, nothing } from '../example.ts';

/** What a page says: loading, empty, failed, done. */
export const states = {
  Alert: {
    Success: () => (
      <Alert kind="success" title="Saved">
        Status changed to Confirmed.
      </Alert>
    ),
    Info: () => <Alert kind="info">The pharmacy is closed on Friday.</Alert>,
    'Warning that closes': () => (
      <Alert kind="warning" title="Low stock" onClose={nothing}>
        Paracetamol: 4 boxes left.
      </Alert>
    ),
    'Error with an action': () => (
      <Alert
        kind="error"
        title="Login failed"
        actions={
          <Button size="sm" variant="ghost">
            Retry
          </Button>
        }
      >
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
    Default: () => (
      <EmptyState
        title="No appointments yet"
        text="When you book one, it shows up here."
        action={<ButtonLink href="#EmptyState">Choose a doctor</ButtonLink>}
      />
    ),
    'Title alone': () => <EmptyState icon="pill" title="No medicine" />,
    'Long text': () => <EmptyState title={longText} text={longText} />,
    'Long word': () => <EmptyState title={longWord} text={longWord} />,
  },
  ErrorState: {
    'With Retry': () => <ErrorState title="Error loading profile" onRetry={nothing} />,
    'Another way forward': () => (
      <ErrorState
        title="This page isn’t available"
        text="It may have moved."
        action={<ButtonLink href="#ErrorState">To the home page</ButtonLink>}
      />
    ),
    'Long text': () => <ErrorState title={longText} text={longText} onRetry={nothing} />,
    'Long word': () => <ErrorState title={longWord} text={longWord} onRetry={nothing} />,
  },
  Spinner: {
    Default: () => <Spinner />,
    'Beside a text': () => (
      <>
        <Spinner label="" size={16} /> Saving...
      </>
    ),
  },
  Skeleton: {
    Line: () => <Skeleton className="ui-skeleton-line" />,
  },
  Loading: {
    Block: () => <Loading className="h-24" />,
  },
  CardSkeleton: {
    Default: () => <CardSkeleton />,
    'With a heading': () => (
      <CardSkeleton>
        <p>Opening hours</p>
      </CardSkeleton>
    ),
  },
} satisfies Examples;
