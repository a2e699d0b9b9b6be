import { Link, type ApiProblem } from '@clinic/app-kit';
import { brand, Button, ButtonLink } from '@clinic/ui';
import { LinkCard } from './link-card.tsx';

const titles: Readonly<Record<string, string>> = {
  not_found: 'This link doesn’t work',
  too_late: 'This link has expired',
  transition_refused: 'This link can’t be used any more',
};
const texts: Readonly<Record<string, string>> = {
  not_found: 'Each link works once and for a limited time. Check that you opened the whole link from the email.',
  too_late: 'It worked until shortly before the appointment.',
  transition_refused: 'It has been used, or the appointment has been changed or cancelled since.',
};

interface DeadLinkProps {
  readonly problem: ApiProblem;
  readonly onRetry: () => void;
}

/** A link that can't be used: why, and what to do instead. */
export function DeadLink({ problem, onRetry }: DeadLinkProps) {
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
      <p role="alert">{texts[code]}</p>
      <p>Log in to see what is booked, or call {brand.phone}.</p>
      <div>
        <ButtonLink component={Link} to="/dash/patient" icon="calendar">
          My appointments
        </ButtonLink>
      </div>
    </LinkCard>
  );
}
