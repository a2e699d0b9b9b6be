import { Card } from '@clinic/ui';
import type { ReactNode } from 'react';

interface SectionProps {
  /** Its anchor on the page. */
  readonly id: string;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** One section of My Account. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <Card as="section" id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-24 gap-4">
      <div>
        <h2 id={`${id}-title`} className="text-lg font-semibold">
          {title}
        </h2>
        {text && <p className="mt-1 text-sm text-muted">{text}</p>}
      </div>
      {children}
    </Card>
  );
}
