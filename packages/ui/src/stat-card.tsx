import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { keyOfText } from './key-of-text.ts';

export interface StatCardProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly icon?: IconName;
  readonly hint?: string;
}

/** One figure and its label. */
export function StatCard({ label, value, icon, hint }: StatCardProps) {
  return (
    <div className="ui-card ui-stat">
      {icon && (
        <span className="ui-stat-icon">
          <Icon name={icon} size={22} />
        </span>
      )}
      <div>
        <p key={keyOfText(value)} className="ui-stat-value">
          {value}
        </p>
        <p className="ui-stat-label">{label}</p>
        {hint && <p className="ui-hint">{hint}</p>}
      </div>
    </div>
  );
}
