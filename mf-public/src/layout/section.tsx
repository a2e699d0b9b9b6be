import { classNames } from '@clinic/ui';
import { useId, type ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Beside the title on wide screens. */
  readonly action?: ReactNode;
  /** With a background of its own across the page. */
  readonly tinted?: boolean;
  readonly centered?: boolean;
  readonly children: ReactNode;
}

/** One section of a public page: title, lead and content at page width. */
export function Section({ title, lead, action, tinted, centered, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classNames('py-14 md:py-20', tinted && 'border-y border-line bg-base-100')}
    >
      <div className="mx-auto max-w-page px-4 sm:px-6">
        <div
          className={classNames(
            'mb-8 flex flex-wrap items-end gap-x-8 gap-y-5 md:mb-10',
            centered ? 'justify-center text-center' : 'justify-between',
          )}
        >
          <div>
            <h2 id={id} className="text-title font-bold">
              {title}
            </h2>
            {lead && (
              <p className={classNames('mt-3 max-w-prose text-lead text-muted', centered && 'mx-auto')}>{lead}</p>
            )}
          </div>
          {action}
        </div>
        {children}
      </div>
    </section>
  );
}
