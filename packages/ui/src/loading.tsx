import { classNames } from './class-names.ts';

/** The place of something that is loading, which screen readers hear as well. @param className - its size */
export function Loading({ className }: { readonly className: string }) {
  return (
    <output className={classNames('ui-skeleton', className)}>
      <span className="sr-only">Loading...</span>
    </output>
  );
}
