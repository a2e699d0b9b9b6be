import type { ReactNode } from 'react';

/** The words of a control beside its icons: they wrap, and a word that is wider than the container breaks. */
export function wrapping(words: ReactNode): ReactNode {
  return words === undefined || words === null || words === false ? null : <span className="ui-words">{words}</span>;
}
