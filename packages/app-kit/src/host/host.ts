// For the shell only, beside the singleton: not shared with remotes.
import type { UNSAFE_createBrowserHistory } from 'react-router-dom';

export { QueryClientProvider } from '@tanstack/react-query';
export { matchRoutes, Router, UNSAFE_createBrowserHistory as createBrowserHistory, useRoutes } from 'react-router-dom';
export type { Location, NavigateOptions, NavigationType, Navigator, To } from 'react-router-dom';
/** The browser's history, as the router sees it. */
export type NavigationHistory = ReturnType<typeof UNSAFE_createBrowserHistory>;
export { followLive, queryClient, session } from './app.ts';
export { authCode } from '../session/auth-code.ts';
export { reasonFor } from '../session/auth-reasons.ts';
export { readConfig } from './config.ts';
export { carryDrafts, forgetLeft } from '../drafts/drafts.ts';
export type { ChooseGoogleAccount, GoogleAccount, MailedCode } from '../session/identity-provider.ts';
export type { IdentityAnswer, IdentityCheck } from '../session/identity-check.ts';
export { leaveQuestion } from './leave.ts';
export { readStorage, writeStorage } from './storage.ts';
export { dismiss, notifications, offer, type Notification, type NotificationKind } from './notify.ts';
export type { NewUser } from '../session/session-types.ts';
