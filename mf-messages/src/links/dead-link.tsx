import type { ApiProblem } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import type { ReactNode } from 'react';
import { LinkCard } from './link-card.tsx';

const titles: Readonly<Record<string, string>> = {
  not_found: 'This link doesn’t work',
  too_late: 'This link has expired',
  transition_refused: 'This link can’t be used any more',
};
interface DeadLinkProps {
  readonly problem: ApiProblem;
  readonly onRetry: () => void;
  /** What to do instead. */
  readonly children: ReactNode;
}

/** A link that can't be used: why, and what to do instead. */
export function DeadLink({ problem, onRetry, children }: DeadLinkProps) {
  const { code, message } = problem;
  const title = titles[code];
  // Anything else is a failure of ours: the link may still be good.
  if (title === undefined)
    return (
      <LinkCard title="We couldn’t check your link">
        <p>{message} Your link may still work.</p>
        <div>
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      </LinkCard>
    );
  return (
    <LinkCard title={title}>
      <p role="alert">
        {code === 'not_found' ? 'It may have expired. Check that you opened the whole link from the email.' : message}
      </p>
      {children}
    </LinkCard>
  );
}
