import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { routes } from '@clinic/contracts';
import type { LoaderContext } from 'webpack';
import callTableLoader from './call-table-loader.ts';

it('keeps every call with what a browser needs to make it, and nothing about its errors', async () => {
  const code = await new Promise<string>((resolve, reject) => {
    const context = {
      resourcePath: fileURLToPath(import.meta.resolve('@clinic/contracts/routes')),
      async: () => (error: Error | null, text?: string) => (error ? reject(error) : resolve(text ?? '')),
    };
    callTableLoader.call(context as unknown as LoaderContext<unknown>);
  });
  const reduced = JSON.parse(code.slice('export const routes = '.length, -1)) as Record<string, unknown>;
  assert.deepEqual(Object.keys(reduced), Object.keys(routes));
  const { errors, summary, access, status, ...bookAppointment } = routes.bookAppointment;
  assert.deepEqual(reduced['bookAppointment'], { ...bookAppointment, access: { kind: access.kind } });
  assert.ok(errors.length > 0 && status === 201 && summary.length > 0 && !code.includes(summary));
});
