import type { ReactNode } from 'react';

/**
 * The key of an element whose text may change while it is on screen. A browser's translation puts its own text in the place of
 * React's, which React would go on changing unseen: a new text needs a new element.
 */
export const keyOfText = (text: ReactNode): string | undefined => (typeof text === 'object' ? undefined : String(text));
