import { lazy } from 'react';

/** Few people see it, and only after the dashboard's file has loaded. */
export const LateGuardPanel = lazy(() => import(/* webpackChunkName: "dash" */ './guard-panel.tsx'));
