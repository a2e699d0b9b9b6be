import type { CallId, Route } from '@clinic/contracts';
import { addCalls, earlierRouteOf, isPublic, routeOf } from './call-table.ts';
import { createApi } from './api-client.ts';

const invoices: Route = {
  service: 'billing',
  method: 'GET',
  path: '/invoices/:id',
  access: { kind: 'everyone' },
  status: 200,
  errors: [],
  summary: 'One invoice',
};
/** In a domain's own program this is a `CallId`. */
const listInvoices = 'listInvoices' as CallId;

describe('calls of domains', () => {
  it('are unknown until added', () => {
    expect(routeOf(listInvoices)).toBeUndefined();
    expect(isPublic(listInvoices)).toBe(false);
  });

  it('are found for remotes of earlier releases, which leave adding them to the shell', async () => {
    const listDoctors = 'listDoctors' as CallId;
    expect(routeOf(listDoctors)).toBeUndefined();
    expect(await earlierRouteOf(listDoctors)).toMatchObject({ service: 'clinic', path: '/doctors' });
    expect(isPublic(listDoctors)).toBe(true);
    await expect(earlierRouteOf(listInvoices)).rejects.toThrow('There is no call listInvoices');
  });

  it('work like the shell’s own once added, and can be replaced by a newer version', async () => {
    addCalls({ listInvoices: invoices });
    addCalls({ listInvoices: { ...invoices, path: '/invoices/v2/:id' } });
    expect(isPublic(listInvoices)).toBe(true);
    const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ total: 3 }));
    const api = createApi({ refresh: async () => false }) as unknown as {
      call: (id: string, input: object) => Promise<unknown>;
    };
    expect(await api.call('listInvoices', { params: { id: 'a b' } })).toEqual({ total: 3 });
    expect(fetched.mock.calls[0]?.[0]).toBe('/invoices/v2/a%20b');
    fetched.mockRestore();
  });

  it('don’t replace the shell’s own of this release', () => {
    addCalls({ getUser: { ...invoices, service: 'identity', path: '/users-of-before' } });
    expect(routeOf('getUser')?.path).toBe('/users/:email');
  });

  it('can’t replace another service’s', () => {
    expect(() => addCalls({ getUser: invoices })).toThrow('There is a call getUser of identity already');
    expect(routeOf('getUser')?.path).toBe('/users/:email');
  });
});
