import type { ApiProblem } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import type { ReactNode } from 'react';
import { LinkCard } from './link-card.tsx';
import { useLinkWords } from './words/use-link-words.ts';
import type { LinkWords } from './words/words.ts';

interface DeadLinkProps {
  readonly problem: ApiProblem;
  readonly onRetry: () => void;
  /** What to do instead. */
  readonly children: ReactNode;
}

/** A link that can't be used: why, and what to do instead. */
export function DeadLink({ problem, onRetry, children }: DeadLinkProps) {
  const { words } = useLinkWords();
  const reason = reasonOf(problem, words.dead);
  if (!reason) {
    const { title, text } = words.dead.failed(problem);
    return (
      <LinkCard title={title}>
        <p>{text}</p>
        <div>
          <Button icon="refresh" onClick={onRetry}>
            {words.retry}
          </Button>
        </div>
      </LinkCard>
    );
  }
  return (
    <LinkCard title={reason.title}>
      <p role="alert">{reason.text}</p>
      {children}
    </LinkCard>
  );
}

/** Why the link is dead; `undefined` for a failure of ours, after which it may still be good. */
function reasonOf(problem: ApiProblem, dead: LinkWords['dead']) {
  switch (problem.code) {
    case 'not_found':
      return dead.not_found;
    case 'too_late':
      return dead.too_late(problem);
    case 'transition_refused':
      return dead.transition_refused(problem);
    default:
      return undefined;
  }
}
