import { notifications } from '@clinic/app-kit/host';
import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { afterLoading } from '../after-loading.ts';

const load = () => import(/* webpackChunkName: "later" */ './notifications.tsx');

/**
 * Notifications, whose file loads with the first one, or before it when the page is at rest. Until then, and as long as it
 * can't be loaded, their texts are shown without it: they are what says that somebody is offline.
 */
export function LateNotifications() {
  const shown = useSyncExternalStore(notifications.subscribe, notifications.get);
  const [loaded, setLoaded] = useState<{ readonly Notifications?: ComponentType }>({});
  const { Notifications } = loaded;
  useEffect(() => afterLoading(() => load().then(setLoaded)), []);
  useEffect(() => {
    // Each message tries again.
    if (!Notifications && shown.length > 0)
      load().then(setLoaded, (error: unknown) => console.warn('Notifications could not be loaded', error));
  }, [shown, Notifications]);
  if (Notifications) return <Notifications />;
  return (
    <output className="pointer-events-none fixed inset-x-0 bottom-0 z-50 grid justify-items-end gap-3 p-4 sm:p-6">
      {shown.map(({ id, text, detail }) => (
        <span key={id} className="ui-alert bg-base-100 shadow-lift">
          {text} {detail}
        </span>
      ))}
    </output>
  );
}
