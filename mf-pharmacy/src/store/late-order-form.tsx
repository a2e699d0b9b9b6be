import { ErrorState, Spinner } from '@clinic/ui';
import { useCallback, useEffect, useState, type ComponentType } from 'react';
import type { OrderFormProps } from './order-form.tsx';

type Loaded = { readonly Form: ComponentType<OrderFormProps> } | { readonly failed: true };

/** The order form and its library, which visitors who only look don't need. */
export function LateOrderForm(props: OrderFormProps) {
  const [loaded, setLoaded] = useState<Loaded>();
  // React.lazy would keep a failure until the page is reloaded.
  const load = useCallback((): void => {
    import('./order-form.tsx').then(
      ({ OrderForm }) => setLoaded({ Form: OrderForm }),
      (error: unknown) => {
        console.warn('The order form could not be loaded', error);
        setLoaded({ failed: true });
      },
    );
  }, []);
  useEffect(load, [load]);
  if (!loaded) return <Spinner />;
  if ('failed' in loaded) return <ErrorState title="We couldn’t load the order form" onRetry={load} />;
  return <loaded.Form {...props} />;
}
