import { useState, type ReactNode } from 'react';

interface FoldProps {
  readonly title: string;
  /** What it is about, for screen readers: 'Button, Busy'. */
  readonly of: string;
  readonly children: ReactNode;
}

/** A part that opens. What is in it is only rendered then: the page has two hundred of them. */
export function Fold({ title, of, children }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="ui-gallery-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title}
        <span className="sr-only"> of {of}</span>
      </summary>
      {open && children}
    </details>
  );
}
