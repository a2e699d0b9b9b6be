import { useSession, type UseSession } from '@clinic/app-kit';

/** Whether somebody works at the desk: everybody's appointments are theirs to see and change. */
export const isAtDesk = ({ role, rights }: Pick<UseSession, 'role' | 'rights'>): boolean =>
  role === 'admin' || rights?.includes('reception') === true;

/** Whether the signed-in person works at the desk. */
export const useDesk = (): boolean => isAtDesk(useSession());
