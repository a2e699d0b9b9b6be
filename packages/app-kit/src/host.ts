// What only the shell uses, beside the singleton: not part of what remotes share.
export { QueryClientProvider } from '@tanstack/react-query';
export { createBrowserRouter, matchPath, RouterProvider, ScrollRestoration, useNavigation } from 'react-router-dom';
export { queryClient, session } from './app.ts';
export { authCode, reasonFor } from './auth-reasons.ts';
export { readConfig } from './config.ts';
export type { ChooseGoogleAccount, GoogleAccount } from './identity-provider.ts';
export { dismiss, notifications, type Notification, type NotificationKind } from './notify.ts';
export type { NewUser } from './session-store.ts';
export { watchSession } from './watch-session.ts';
