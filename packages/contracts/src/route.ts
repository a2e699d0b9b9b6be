import type { AccessRule } from './access.ts';
import type { Decides, Shown } from './authority.ts';
import type { ProblemCode } from './problems.ts';

/** Copies a person's data (`?email=`), or erases it (docs/privacy.md). */
export type PersonalDataCall = 'copy' | 'erasure';

/** A REST call without its schemas, so that browsers can load the table without the validator. */
export interface Route {
  /** Name of the service that serves it: one of ours, or a domain's own. */
  readonly service: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path pattern as Express and the router write it. */
  readonly path: string;
  readonly access: AccessRule;
  /** Status of success. */
  readonly status: 200 | 201 | 204;
  /** Errors of its own, in addition to those every call can return (validation, access, limits, outages). */
  readonly errors: readonly ProblemCode[];
  /**
   * Accepts `Idempotency-Key`: the same key and body get the first response again; another body is rejected with 422. Of calls
   * with a code: the same code is accepted once more under its key.
   */
  readonly idempotent?: true;
  /** A list paged with `limit`, `cursor`, `q`, `status` and `sort`; without them it is the whole array. */
  readonly paged?: true;
  /**
   * Content of a response that isn't JSON: a calendar file, a file with one FHIR resource a line, or server-sent events
   * for as long as the client listens.
   */
  readonly media?: 'text/calendar' | 'application/fhir+ndjson' | 'text/event-stream';
  /** Only other programs make this call, such as calendars: browsers don't load its entry. */
  readonly forPrograms?: true;
  /** Seconds until the response must have begun; default ten. */
  readonly timeoutSeconds?: number;
  /** Limit of the body in bytes; default 100 KB. */
  readonly maxBodyBytes?: number;
  /**
   * Mail programs call it, too (RFC 8058): it accepts a form, which it ignores, from any origin. A token in the path
   * authorises it, never a cookie.
   */
  readonly oneClick?: true;
  /**
   * Another program calls it, from any origin, and signs the body. Only the signature authorises it, which its handler
   * checks (`signedBody`), never a cookie.
   */
  readonly signed?: true;
  /** What it does with all that the service stores about a person; each domain has one call of each kind. */
  readonly personalData?: PersonalDataCall;
  /** Lists which staff viewed a person's records (`?email=`), for the person and for admins; one call of a domain. */
  readonly looks?: true;
  /** The fields of a request that take part in a decision, and against what each is checked. */
  readonly decides?: Decides;
  /** Whose personal data the answer shows. */
  readonly shows?: Shown;
  /** Why nobody is told who looked, though the answer has names, addresses or the like. */
  readonly unnoted?: string;
  /** What it does, in one line. */
  readonly summary: string;
}
