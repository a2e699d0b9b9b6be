import type { CallId, Route } from '@clinic/contracts';
import { addCalls, isPublic, routeOf } from './call-table.ts';
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
    expect(() => routeOf(listInvoices)).toThrow('There is no call listInvoices');
    expect(isPublic(listInvoices)).toBe(false);
  });

  it('work like the product’s own once added, and can be replaced by a newer version', async () => {
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

  it('don’t replace the product’s own of this release', () => {
    addCalls({ listDoctors: { ...routeOf('listDoctors'), path: '/doctors-of-before' } });
    expect(routeOf('listDoctors').path).toBe('/doctors');
  });

  it('can’t replace another service’s', () => {
    expect(() => addCalls({ listDoctors: invoices })).toThrow('There is a call listDoctors of clinic already');
    expect(routeOf('listDoctors').path).toBe('/doctors');
  });
});
