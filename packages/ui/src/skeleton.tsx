import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A grey placeholder for content; set its size with classes. Decorative: `Loading` is announced too. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span className={classNames('ui-skeleton', className)} aria-hidden="true" />;
}

/** A card whose text is loading; `children` come before the lines. */
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
