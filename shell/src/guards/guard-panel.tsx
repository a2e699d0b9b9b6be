import type { PageDescriptor, Role } from '@clinic/contracts';
import { AccessDenied } from './access-denied.tsx';
import { Unreachable } from './unreachable.tsx';

export interface GuardPanelProps {
  /** The requested page; absent if it isn't even known whether the visitor is logged in. */
  readonly page?: Pick<PageDescriptor, 'access' | 'title'>;
  /** Absent if it isn't known. */
  readonly role?: Role | undefined;
  readonly onRetry: () => void;
}

/** Why a guard shows no page. */
export default function GuardPanel({ page, role, onRetry }: GuardPanelProps) {
  if (page && role) return <AccessDenied page={page} role={role} />;
  return <Unreachable what={page ? 'access' : 'login'} onRetry={onRetry} />;
}
