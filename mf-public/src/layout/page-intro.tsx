import type { ReactNode } from 'react';

/** The head of a public page below the top bar: its h1 and introduction. */
export function PageIntro({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="border-b border-line bg-tint">
      <div className="mx-auto max-w-page px-4 py-12 sm:px-6 md:py-16">
        <h1 className="text-title font-bold">{title}</h1>
        <p className="mt-3 max-w-prose text-lead text-muted">{children}</p>
      </div>
    </div>
  );
}
