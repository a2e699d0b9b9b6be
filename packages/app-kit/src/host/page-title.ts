import { brand } from '@clinic/contracts';
import { useEffect } from 'react';

/** Sets the page's title in the browser's tab and history. @param title - of the page alone; the brand is added */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${brand.brandName}`;
  }, [title]);
}
