import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A grey place where content will be; size it with classes. Decoration: say 'Loading...' beside it. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span className={classNames('ui-skeleton', className)} aria-hidden="true" />;
}

/** A card whose text is still to come; `children` stand before the lines. */
export function CardSkeleton({ children, className }: { readonly children?: ReactNode; readonly className?: string }) {
  return (
    <div className={classNames('ui-card ui-card-skeleton', className)} aria-hidden="true">
      {children}
      <Skeleton className="ui-skeleton-line" />
      <Skeleton className="ui-skeleton-line" />
      <Skeleton className="ui-skeleton-line" />
    </div>
  );
}
