import type { SessionUser } from '@clinic/contracts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { queryClient, session } from '../host/app.ts';
import { ann } from '../testing/session-users.ts';
import { prepareEnvironment } from '../testing/test-environment.ts';
import { serveAs } from '../testing/test-gateway.ts';
import { useSession } from './use-session.ts';

beforeAll(prepareEnvironment);

test('a renewed session says which role and rights somebody has now', async () => {
  let now: SessionUser = ann;
  serveAs(ann, () => Response.json({ user: now, expiresAt: '2100-01-01T00:00:00Z' }));
  await session.load();
  const wrapper = ({ children }: React.PropsWithChildren) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(useSession, { wrapper });
  expect([result.current.roleLoading, result.current.role]).toEqual([true, undefined]);
  await waitFor(() => expect(result.current.role).toBe('patient'));
  const changes: readonly Partial<SessionUser>[] = [
    { rights: ['reception'] },
    { role: 'doctor', rights: ['stock'] },
    {},
  ];
  for (const held of changes) {
    now = { ...ann, ...held };
    await act(async () => session.refresh());
    const { role, rights } = result.current;
    expect({ role, rights }).toEqual({ role: 'patient', rights: undefined, ...held });
  }
});
