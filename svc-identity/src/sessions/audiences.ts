import type { Request, RequestHandler } from 'express';
import { audiencesHeader, ProblemError, readAudiences } from '@clinic/service-kit';

/**
 * The services that the gateway has named, each of which gets a token of its own.
 *
 * @returns none if the gateway is of a release that names none
 * @throws ProblemError malformed_request, which a gateway never causes
 */
export function audiencesOf(request: Request): readonly string[] {
  const named = request.get(audiencesHeader);
  if (named === undefined) return [];
  const audiences = readAudiences(named);
  if (!audiences)
    throw new ProblemError('malformed_request', {
      detail: `${audiencesHeader} must be the names of services, separated by commas, few enough for a cookie.`,
    });
  return audiences;
}

/** Rejects a request with invalid names before anything happens. */
export const checkAudiences: RequestHandler = (request, _response, next) => {
  audiencesOf(request);
  next();
};
