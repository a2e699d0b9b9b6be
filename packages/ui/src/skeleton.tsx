import { classNames } from './class-names.ts';

/** A grey place where content will be; size it with classes. Decoration: say 'Loading...' beside it. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span className={classNames('ui-skeleton', className)} aria-hidden="true" />;
}
