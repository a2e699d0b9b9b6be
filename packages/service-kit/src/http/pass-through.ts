import type { Request, RequestHandler, Response } from 'express';

/** Runs one Express middleware as a promise. @throws what it passes to `next` */
export function passThrough(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    // `unknown`: middleware may pass anything; only a missing value means success.
    const next = (error?: unknown): void => (error === undefined || error === null ? resolve() : reject(error));
    const running: unknown = middleware(request, response, next);
    if (running instanceof Promise) running.catch(reject);
  });
}
