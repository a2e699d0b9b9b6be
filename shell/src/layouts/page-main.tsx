import type { ReactNode } from 'react';

/** The page's content, where the skip link and every change of page lead to. */
export function PageMain({ className = '', children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </main>
  );
}
