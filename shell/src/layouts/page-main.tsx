import type { ReactNode } from 'react';

/** The page's content: target of the skip link and of the focus after each change of page. */
export function PageMain({ className = '', children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </main>
  );
}
