import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** The next step: a button or link. */
  readonly action?: ReactNode;
  readonly icon?: IconName;
}

/** Explains why there is nothing here and what to do next. */
export function EmptyState({ title, text, action, icon = 'search' }: EmptyStateProps) {
  return (
    <div className="ui-state">
      <span className="ui-state-icon">
        <Icon name={icon} size={26} />
      </span>
      <output className="ui-state-title">{title}</output>
      {text && <p className="ui-state-text">{text}</p>}
      {action && <div className="ui-state-action">{action}</div>}
    </div>
  );
}
