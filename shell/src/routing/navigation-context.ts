import { createContext, useContext } from 'react';
import type { NavigationState } from './navigation.ts';

interface NavigationView extends NavigationState {
  readonly retry: () => void;
}

export const NavigationContext = createContext<NavigationView | undefined>(undefined);

/** What is shown now, and what is loading. @throws Error outside the application's router */
export function useNavigationState(): NavigationView {
  const view = useContext(NavigationContext);
  if (!view) throw new Error('There is no router around this component');
  return view;
}
