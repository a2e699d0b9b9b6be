import type { ReactNode } from 'react';

export interface PageHeaderProps {
  readonly title: string;
  /** Number of records, shown beside the title. */
  readonly count?: number;
  readonly description?: ReactNode;
  /** Buttons of the page. */
  readonly actions?: ReactNode;
}

/** The page's h1 with its actions. */
export function PageHeader({ title, count, description, actions }: PageHeaderProps) {
  return (
    <header className="ui-page-header">
      <div>
        <h1 className="ui-page-title">
          {title}
          {count !== undefined && (
            <span key={count} className="ui-count">
              <span className="sr-only"> (</span>
              {count.toLocaleString('en')}
              <span className="sr-only">)</span>
            </span>
          )}
        </h1>
        {description && <p className="ui-page-description">{description}</p>}
      </div>
      {actions && <div className="ui-page-actions">{actions}</div>}
    </header>
  );
}
