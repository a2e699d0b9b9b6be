import type { ApiProblem } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import type { ReactNode } from 'react';
import { LinkCard } from './link-card.tsx';
import { useLinkWords } from './words/use-link-words.ts';

/** Problems of the link. Any other is a failure of ours, after which it may still be good. */
export const deadly = ['not_found', 'too_late', 'transition_refused'] as const;

interface DeadLinkProps {
  readonly problem: ApiProblem;
  readonly onRetry: () => void;
  /** What to do instead. */
  readonly children: ReactNode;
}

/** A link that can't be used: why, and what to do instead. */
export function DeadLink({ problem, onRetry, children }: DeadLinkProps) {
  const { words } = useLinkWords();
  const dead = deadly.find((code) => code === problem.code);
  if (!dead) {
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
  const { title, text } = words.dead[dead](problem);
  return (
    <LinkCard title={title}>
      <p role="alert">{text}</p>
      {children}
    </LinkCard>
  );
}
