import { Link } from '@clinic/app-kit';
import { Button, ButtonLink, Icon } from '@clinic/ui';

const texts = {
  login: {
    title: 'We can’t check if you’re logged in right now',
    text: 'The login service isn’t responding. You haven’t been logged out, and this page will open when the service is back.',
  },
  access: { title: 'We can’t check your access right now', text: 'Check your connection and try again.' },
  dashboard: { title: 'We couldn’t open your dashboard', text: 'We couldn’t check your role.' },
} as const;

export interface UnreachableProps {
  /** What is unknown while a service is unavailable. */
  readonly what: keyof typeof texts;
  readonly onRetry: () => void;
}

/** In place of a page: its title is the page's heading. */
export function Unreachable({ what, onRetry }: UnreachableProps) {
  const { title, text } = texts[what];
  return (
    <div className="ui-state mx-auto max-w-page p-6" role="alert">
      <span className="ui-state-icon" data-tone="red">
        <Icon name="alert-circle" size={26} />
      </span>
      <h1 className="ui-state-title">{title}</h1>
      <p className="ui-state-text">{text}</p>
      <div className="ui-state-action">
        <Button variant="secondary" icon="refresh" onClick={onRetry}>
          Retry
        </Button>
        <ButtonLink component={Link} to="/" variant="ghost">
          Home
        </ButtonLink>
      </div>
    </div>
  );
}
