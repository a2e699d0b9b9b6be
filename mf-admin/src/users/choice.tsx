import type { ReactNode } from 'react';

/** Something that can be done with an account. */
export function Choice({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="grid justify-items-start gap-3 py-5 first:pt-0 last:pb-0">
      <div>
        <h3 className="font-semibold text-base-content">{title}</h3>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {children}
    </section>
  );
}
