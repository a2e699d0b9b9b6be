import type { ReactNode } from 'react';

/** The words of a control beside its icons: they wrap, and a word that is wider than the container breaks. */
export function Words({ children }: { readonly children?: ReactNode }) {
  return children === undefined || children === null || children === false ? null : (
    <span className="ui-words">{children}</span>
  );
}
