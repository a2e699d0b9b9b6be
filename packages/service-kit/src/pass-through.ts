import type { Request, RequestHandler, Response } from 'express';

/** Runs one Express middleware to its end. @throws what it hands to `next` */
export function passThrough(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    // `unknown`: middleware may hand over anything; only a missing value means that all is well.
    const next = (error?: unknown): void => (error === undefined || error === null ? resolve() : reject(error));
    const running: unknown = middleware(request, response, next);
    if (running instanceof Promise) running.catch(reject);
  });
}
