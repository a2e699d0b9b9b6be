import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export interface ErrorStateProps {
  /** What failed, e.g. 'Error loading appointments'. */
  readonly title: string;
  readonly text?: ReactNode;
  /** Adds a Retry button. */
  readonly onRetry?: () => void;
  /** Another way forward. */
  readonly action?: ReactNode;
}

export function ErrorState({ title, text = 'Check your connection and try again.', onRetry, action }: ErrorStateProps) {
  return (
    <div className="ui-state" role="alert">
      <span className="ui-state-icon" data-tone="red">
        <Icon name="alert-circle" size={26} />
      </span>
      <p className="ui-state-title">{title}</p>
      {text && <p className="ui-state-text">{text}</p>}
      {(onRetry || action) && (
        <div className="ui-state-action">
          {onRetry && (
            <Button variant="secondary" icon="refresh" onClick={onRetry}>
              Retry
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
