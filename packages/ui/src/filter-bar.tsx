import type { ReactNode } from 'react';

/** Search field and filters of a list in a row that wraps; the first grows. */
export function FilterBar({
  label = 'Filter the list',
  children,
}: {
  readonly label?: string;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className="ui-filter-bar">
      <legend className="sr-only">{label}</legend>
      {children}
    </fieldset>
  );
}
