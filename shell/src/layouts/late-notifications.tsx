import { notifications } from '@clinic/app-kit/host';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { afterLoading } from '../after-loading.ts';

/** What they say must be read, also if their file can't be loaded. */
function PlainNotifications() {
  const shown = useSyncExternalStore(notifications.subscribe, notifications.get);
  return (
    <output className="fixed bottom-4 z-50 grid gap-2">
      {shown.map(({ id, text, detail }) => (
        <span key={id} className="ui-alert bg-base-100">
          {text} {detail}
        </span>
      ))}
    </output>
  );
}

const Notifications = lazy(async () => {
  const loaded = import(/* webpackChunkName: "later" */ './notifications.tsx');
  return {
    default: await loaded.then(
      (file) => file.Notifications,
      () => PlainNotifications,
    ),
  };
});

/** Notifications, which no first page shows: loaded with the first one, or before it when the page is at rest. */
export function LateNotifications() {
  const shown = useSyncExternalStore(notifications.subscribe, notifications.get);
  const [atRest, setAtRest] = useState(false);
  useEffect(() => afterLoading(async () => setAtRest(true)), []);
  if (!atRest && shown.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Notifications />
    </Suspense>
  );
}
