import { useQuery } from '@tanstack/react-query';
import type { Role } from '@clinic/contracts';
import { useSyncExternalStore } from 'react';
import { api, session } from '../host/app.ts';
import type { SessionActions, SessionState } from './session-types.ts';

export interface UseSession extends SessionState, SessionActions {
  /** The session's own; it decides menu and landing page. Empty while the look-up after login loads and if it failed. */
  readonly role: Role | undefined;
  /** Rights beside the role; absent also in shells of an earlier release. */
  readonly rights?: readonly string[] | undefined;
  readonly roleLoading: boolean;
  /** The look-up failed (it has been logged); {@link UseSession.retryRole} tries again. */
  readonly roleFailed: boolean;
  readonly retryRole: () => void;
}

/** Who is signed in, with what role, and the ways in and out. */
export function useSession(): UseSession {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const email = state.user?.email ?? '';
  const lookup = useQuery({
    queryKey: ['getUser', { params: { email } }],
    // Without its signal: a change of layout leaves no subscriber for a moment, which would abort the call and make another.
    queryFn: () => api.call('getUser', { params: { email } }),
    enabled: email !== '',
    staleTime: 60_000,
  });
  const found = email === '' ? undefined : lookup.data;
  return {
    ...state,
    role: found && state.user?.role,
    rights: found && state.user?.rights,
    roleLoading: email !== '' && lookup.isPending,
    roleFailed: lookup.isError && !lookup.data,
    retryRole: () => void lookup.refetch(),
    createAccount: session.createAccount,
    signIn: session.signIn,
    signInWithGoogle: session.signInWithGoogle,
    logout: session.logout,
    sendPasswordReset: session.sendPasswordReset,
    prepareSignIn: session.prepareSignIn,
    load: session.load,
  };
}
