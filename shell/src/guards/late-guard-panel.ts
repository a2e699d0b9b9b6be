import { lazy } from 'react';

/** Few people see it, and the dashboard's file is loaded by then. */
export const LateGuardPanel = lazy(() => import(/* webpackChunkName: "dash" */ './guard-panel.tsx'));
